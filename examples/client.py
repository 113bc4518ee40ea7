"""Plays a game of kaer through its machine interface: takes what is usual, or any open option."""
import json, random, subprocess, sys

kaer = subprocess.Popen([sys.argv[1], "play", *sys.argv[2:], "--format", "jsonl"],
                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
chance = random.Random(1)
for line in kaer.stdout:
    said = json.loads(line)
    if said["type"] == "event":
        for told in said["told"]:
            if not said["quiet"]:
                print(told["text"])
    elif said["type"] == "error":
        sys.exit(said["message"])
    elif said["type"] == "decision":
        offers = [o for o in said["options"] if o["closed"] is None]
        keys = [o["key"] for o in offers for _ in range(o["count"])]
        answer = {"one": lambda: [chance.choice(keys)],
                  "some": lambda: chance.sample(keys, said["min"]),
                  "order": lambda: keys,
                  "amount": lambda: [str(said["min"])],
                  "split": lambda: [str(said["max"])] + ["0"] * (len(keys) - 1)}[said["form"]]()
        seat = next((o["seat"] for o in offers if [o["key"]] == answer and o["seat"] is not None), said["seats"][0])
        kaer.stdin.write(json.dumps({"answer": answer, "seat": seat}) + "\n")
        kaer.stdin.flush()
    elif said["type"] == "end":
        for seat in said["summary"]["seats"]:
            print(seat["rank"], seat["name"], seat["score"])
