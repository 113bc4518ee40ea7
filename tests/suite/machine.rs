//! The JSON interface: a client plays games to their end, and no input can break them.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::support::{KAER, scratch, trials};

pub fn trials() -> Vec<Trial> {
    trials![
        a_client_plays_a_game_to_its_end,
        one_client_can_play_every_seat,
        invalid_input_does_not_break_a_game,
        undo_redo_and_views_work,
        the_python_client_plays_a_game_to_its_end,
    ]
}

const DUEL: &[&str] = &["duel:duel", "--pack", "tests/packs/duel", "--seed", "7"];

/// A client that plays at random.
struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    /// The state of its random number generator.
    rng_state: u64,
}

impl Client {
    fn start(args: &[&str]) -> Client {
        let mut child = Command::new(KAER)
            .arg("play")
            .args(args)
            .args(["--format", "jsonl"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (
            child.stdin.take(),
            BufReader::new(child.stdout.take().unwrap()),
        );
        Client {
            child,
            input,
            output,
            rng_state: 1,
        }
    }

    /// The next line; `None` at the end of the output.
    fn next(&mut self) -> Option<Value> {
        let mut line = String::new();
        (self.output.read_line(&mut line).unwrap() > 0)
            .then(|| serde_json::from_str(&line).expect(&line))
    }

    /// The next line of a type, skipping others.
    fn next_of(&mut self, wanted: &str) -> Value {
        loop {
            let line = self
                .next()
                .unwrap_or_else(|| panic!("no further `{wanted}`"));
            if line["type"] == wanted {
                return line;
            }
        }
    }

    fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).and_then(|()| input.flush()).unwrap();
    }

    fn send(&mut self, line: &Value) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    fn below(&mut self, limit: usize) -> usize {
        self.rng_state = self
            .rng_state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.rng_state >> 33).unwrap() % limit
    }

    /// Answers a decision at random.
    fn answer(&mut self, decision: &Value) {
        let open: Vec<Value> = decision["options"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|offer| offer["closed"].is_null())
            .cloned()
            .collect();
        let (min, max) = (
            decision["min"].as_i64().unwrap(),
            decision["max"].as_i64().unwrap(),
        );
        let mut seat = decision["seats"][0].clone();
        let keys: Vec<Value> = match decision["form"].as_str().unwrap() {
            "one" => {
                let picked = &open[self.below(open.len())];
                if !picked["seat"].is_null() {
                    seat = picked["seat"].clone();
                }
                vec![picked["key"].clone()]
            }
            "some" => {
                let count =
                    |offer: &Value| usize::try_from(offer["count"].as_u64().unwrap()).unwrap();
                let all = open
                    .iter()
                    .flat_map(|offer| vec![offer["key"].clone(); count(offer)]);
                all.take(usize::try_from(min).unwrap()).collect()
            }
            "order" => open.iter().map(|offer| offer["key"].clone()).collect(),
            "amount" => vec![json!(min.to_string())],
            "split" => (0..open.len())
                .map(|ix| {
                    json!(if ix == 0 {
                        max.to_string()
                    } else {
                        "0".to_owned()
                    })
                })
                .collect(),
            other => panic!("unknown form {other}"),
        };
        self.send(&json!({ "answer": keys, "seat": seat }));
    }

    /// Plays to the end and returns the last line.
    fn play(&mut self) -> Value {
        loop {
            let line = self.next().expect("the game ends");
            match line["type"].as_str().unwrap() {
                "decision" => self.answer(&line),
                "error" => panic!("{line}"),
                "end" => return line,
                _ => {}
            }
        }
    }

    /// Closes the input and returns whether the program succeeded.
    fn finish(mut self) -> bool {
        self.input = None;
        while self.next().is_some() {}
        self.child.wait().unwrap().success()
    }
}

fn hash(journal: &Path, pack: &str) -> String {
    let output = Command::new(KAER)
        .args([
            "replay",
            &journal.to_string_lossy(),
            "--pack",
            pack,
            "--hash",
        ])
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn with<'a>(args: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    args.iter().chain(more).copied().collect()
}

fn a_client_plays_a_game_to_its_end() {
    let path = scratch("machine/whole").join("game.kaer");
    let file = path.to_string_lossy();
    let mut client = Client::start(&with(
        DUEL,
        &[
            "--player",
            "Ann",
            "--player",
            "Bo=random",
            "--journal",
            &file,
        ],
    ));
    let hello = client.next().unwrap();
    assert_eq!(
        (&hello["type"], &hello["version"], &hello["game"]["seed"]),
        (&json!("hello"), &json!(2), &json!(7))
    );
    let end = client.play();
    assert_eq!(end["summary"]["over"], json!(true));
    assert_eq!(end["hash"], json!(hash(&path, "tests/packs/duel")));
    assert!(client.next().is_none() && client.finish());
}

fn one_client_can_play_every_seat() {
    for (mode, seats) in [
        ("duel:duel", 2),
        ("parley:court", 3),
        ("parley:camp", 2),
        ("errands:errands", 2),
    ] {
        let pack = format!("tests/packs/{}", mode.split(':').next().unwrap());
        let mut args = vec![
            mode.to_owned(),
            "--pack".to_owned(),
            pack,
            "--seed".to_owned(),
            "3".to_owned(),
        ];
        args.extend((0..seats).flat_map(|seat| ["--player".to_owned(), format!("P{seat}")]));
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let mut client = Client::start(&args);
        for _ in 0..400 {
            match client.next() {
                Some(line) if line["type"] == "decision" => client.answer(&line),
                Some(line) if line["type"] == "error" => panic!("{mode}: {line}"),
                Some(_) => {}
                None => break,
            }
        }
        assert!(client.finish(), "{mode}");
    }
}

fn invalid_input_does_not_break_a_game() {
    let path = scratch("machine/garbage").join("game.kaer");
    let file = path.to_string_lossy();
    let mut client = Client::start(&with(
        DUEL,
        &[
            "--player",
            "Ann",
            "--player",
            "Bo=random",
            "--journal",
            &file,
        ],
    ));
    let first = client.next_of("decision");
    client.answer(&first);
    let asked = client.next_of("decision");
    let long = [vec![b'x'; 3_000_000], vec![b'\n']].concat();
    let deep = [vec![b'['; 60_000], vec![b'\n']].concat();
    let lines: &[&[u8]] = &[
        b"{\n",
        b"\xff\xfe\x00\n",
        b"\xc3\n",
        b"\x1b[2J\x07\n",
        b"{\"answer\": \"done\"}\n",
        b"{\"answer\": [\"no-such-key\"]}\n",
        b"{\"answer\": [], \"seat\": 0}\n",
        b"{\"answer\": [\"x\"], \"seat\": 1}\n",
        b"{\"answer\": [\"x\"], \"seat\": 99}\n",
        b"{\"answer\": [\"x\"], \"seat\": -1}\n",
        b"{\"answer\": [\"\\ud800\"]}\n",
        b"{\"view\": 1}\n",
        b"{\"panel\": \"no-such-panel\"}\n",
        b"{\"undo\": false}\n",
        b"{\"view\": 300}\n",
        b"{\"answer\": 1}\n",
        b"{\"answer\": [], \"x\": 1}\n",
        b"null\n",
        b"[]\n",
        b"7\n",
        b"\x01\n",
        &long,
        &deep,
    ];
    for line in lines {
        client.send_bytes(line);
        assert_eq!(
            client.next().unwrap()["type"],
            "error",
            "{}",
            String::from_utf8_lossy(&line[..line.len().min(80)])
        );
        assert_eq!(client.next().unwrap(), asked);
    }
    // A line may have up to 65,536 bytes.
    let padded = |length: usize| {
        let spaces = vec![b' '; length - 11];
        [b"{\"view\": 0}", &spaces[..], b"\n"].concat()
    };
    client.send_bytes(&padded(65_537));
    assert_eq!(client.next().unwrap()["type"], "error");
    assert_eq!(client.next().unwrap(), asked);
    client.send_bytes(&padded(65_536));
    assert_eq!(client.next().unwrap()["type"], "view");
    client.send_bytes(b"\n \r\n{\"answer\": [\"\xc3");
    client.input = None;
    assert_eq!(client.next().unwrap()["type"], "error");
    assert_eq!(client.next().unwrap(), asked);
    let left = client.next().unwrap();
    assert_eq!(
        (&left["type"], &left["hash"]),
        (&json!("left"), &json!(hash(&path, "tests/packs/duel")))
    );
    assert!(client.finish());
}

fn undo_redo_and_views_work() {
    let mut client = Client::start(&with(DUEL, &["--player", "Ann", "--player", "Bo=random"]));
    let first = client.next_of("decision");
    client.answer(&first);
    let second = client.next_of("decision");
    client.send(&json!({ "undo": true }));
    assert_eq!(client.next().unwrap()["type"], "undone");
    assert_eq!(client.next_of("decision"), first);
    client.send(&json!({ "undo": true }));
    assert_eq!(client.next().unwrap()["type"], "error");
    client.next_of("decision");
    client.send(&json!({ "redo": true }));
    let redone = client.next().unwrap();
    assert_eq!(redone["type"], "redone");
    assert_eq!(client.next_of("decision"), second);
    client.send(&json!({ "redo": true }));
    assert_eq!(client.next().unwrap()["type"], "error");
    client.next_of("decision");
    client.send(&json!({ "undo": true, "seat": 0 }));
    assert_eq!(client.next().unwrap()["type"], "undone");
    assert_eq!(client.next_of("decision"), first);
    client.send(&json!({ "view": 0 }));
    let view = client.next().unwrap();
    assert_eq!(view["view"]["seats"], first["view"]["seats"]);
    client.send(&json!({ "quit": true }));
    assert_eq!(client.next().unwrap()["type"], "left");
    assert!(client.next().is_none() && client.finish());
}

fn the_python_client_plays_a_game_to_its_end() {
    let Ok(output) = Command::new("python3").arg("--version").output() else {
        return;
    };
    if !output.status.success() {
        return;
    }
    let output = Command::new("python3")
        .args(["examples/client.py", KAER])
        .args(with(DUEL, &["--player", "Ann", "--player", "Bo=random"]))
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(printed.contains("The game is over"), "{printed}");
}
