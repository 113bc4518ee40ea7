"""Plays a game of kaer with random answers, through its machine interface."""
import json, random, subprocess, sys

kaer = subprocess.Popen([sys.argv[1], "play", *sys.argv[2:], "--format", "jsonl"],
                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
rng = random.Random(1)
for output in kaer.stdout:
    message = json.loads(output)
    if message["type"] == "event":
        for line in message["texts"]:
            if not message["quiet"]:
                print(line["text"])
    elif message["type"] == "error":
        sys.exit(message["message"])
    elif message["type"] == "decision":
        offers = [o for o in message["options"] if o["closed"] is None]
        keys = [o["key"] for o in offers for _ in range(o["count"])]
        answer = {"one": lambda: [rng.choice(keys)],
                  "some": lambda: rng.sample(keys, message["min"]),
                  "order": lambda: keys,
                  "amount": lambda: [str(message["min"])],
                  "split": lambda: [str(message["max"])] + ["0"] * (len(keys) - 1)}[message["form"]]()
        seat = next((o["seat"] for o in offers if [o["key"]] == answer and o["seat"] is not None), message["seats"][0])
        kaer.stdin.write(json.dumps({"answer": answer, "seat": seat}) + "\n")
        kaer.stdin.flush()
    elif message["type"] == "end":
        for seat in message["summary"]["seats"]:
            print(seat["rank"], seat["name"], seat["score"])
