// The fight of the pack `duel` (tests/packs/duel), written for boardgame.io, with random agents and a
// local client. It shows what the same decisions cost in a tool that a user might choose instead.
//
//   cd benches/boardgame-io && npm install && NODE_ENV=production node duel.mjs [FIGHTS]
//
// Compare its decisions per second of CPU with those that `cargo bench` prints for `duel`.

import { createRequire } from "node:module";

const { Client } = createRequire(import.meta.url)("boardgame.io/client");
const { INVALID_MOVE } = createRequire(import.meta.url)("boardgame.io/core");

const link = (colour, damage = 0, guard = 0, draw = 0) => ({ colour, damage, guard, draw });

// The cards that a player starts with, as in cards.toml.
const CARDS = {
  jab: { colour: "red", damage: 1, guard: 0, draw: 0, count: 3, links: [link("blue", 1), link("red")] },
  sidestep: { colour: "blue", damage: 0, guard: 1, draw: 0, count: 3, links: [link("green", 0, 0, 1)] },
  breath: { colour: "green", damage: 0, guard: 0, draw: 1, count: 2, links: [link("red", 1), link("blue", 0, 1)] },
};
const SKILL = 2;
const BRACE = 4;

function linkTo(last, next) {
  const links = CARDS[last].links;
  const wanted = CARDS[next].colour;
  return links.find((own) => own.colour === wanted) ?? links.find((own) => own.colour === "any" || wanted === "any");
}

// The positions of the cards that may be played next; equal cards share an option.
export function playable(G, player) {
  const { hand, played } = G.players[player];
  const last = played.at(-1);
  const seen = new Set();
  return hand.flatMap((card, at) => {
    if (seen.has(card) || (last && !linkTo(last, card))) return [];
    seen.add(card);
    return [at];
  });
}

function fallIfEmpty(player) {
  if (player.deck.length + player.hand.length === 0) player.standing = false;
}

function damage(G, to, amount) {
  const player = G.players[to];
  const taken = Math.min(player.guard, amount);
  player.guard -= taken;
  let left = amount - taken;
  while (left > 0 && player.deck.length > 0) {
    player.discard.push(player.deck.shift());
    left -= 1;
  }
  const count = Math.min(left, player.hand.length);
  if (count === player.hand.length) player.discard.push(...player.hand.splice(0));
  else if (count > 0) G.losing = { player: to, count };
  fallIfEmpty(player);
}

const sum = (played, field) =>
  played.reduce((total, card, at) => {
    const next = played[at + 1];
    return total + CARDS[card][field] + (next ? linkTo(card, next)[field] : 0);
  }, 0);

// Ends the combo: damage, guard, draws.
function resolve(G, me) {
  const player = G.players[me];
  const { played } = player;
  const hits = sum(played, "damage");
  if (hits > 0) damage(G, 1 - me, hits);
  player.guard = Math.min(player.guard + sum(played, "guard"), Math.max(BRACE, player.guard));
  for (let draws = SKILL + sum(played, "draw"); draws > 0; draws -= 1) {
    if (player.hand.length >= 7 || player.deck.length === 0) break;
    player.hand.push(player.deck.shift());
  }
  player.discard.push(...played.splice(0));
  fallIfEmpty(player);
}

const Duel = {
  name: "duel",
  setup: ({ random }) => {
    const deck = Object.entries(CARDS).flatMap(([id, card]) => Array(card.count).fill(id));
    const player = () => {
      const own = random.Shuffle(deck);
      return { deck: own.slice(4), hand: own.slice(0, 4), discard: [], played: [], guard: 0, standing: true };
    };
    return { players: [player(), player()], losing: null };
  },
  moves: {
    play: ({ G, ctx }, at) => {
      const me = Number(ctx.currentPlayer);
      if (G.losing || !playable(G, me).includes(at)) return INVALID_MOVE;
      const player = G.players[me];
      player.played.push(...player.hand.splice(at, 1));
      return undefined;
    },
    stop: ({ G, ctx, events }) => {
      if (G.losing) return INVALID_MOVE;
      resolve(G, Number(ctx.currentPlayer));
      if (!G.losing) events.endTurn();
      return undefined;
    },
    // The player who is hit chooses the cards to lose. The client moves for both players.
    lose: ({ G, events }, positions) => {
      const { player, count } = G.losing ?? {};
      if (positions.length !== count) return INVALID_MOVE;
      const hit = G.players[player];
      for (const at of [...positions].sort((a, b) => b - a)) hit.discard.push(...hit.hand.splice(at, 1));
      fallIfEmpty(hit);
      G.losing = null;
      events.endTurn();
      return undefined;
    },
  },
  endIf: ({ G }) => {
    const standing = G.players.flatMap((player, at) => (player.standing ? [at] : []));
    if (standing.length < 2) return { winner: standing[0] };
    return undefined;
  },
};

// A small seeded generator, so that runs can be repeated.
function generator(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function decide(client, below) {
  const { G, ctx } = client.getState();
  if (G.losing) {
    const all = G.players[G.losing.player].hand.map((_, at) => at);
    const picked = [];
    while (picked.length < G.losing.count) picked.push(...all.splice(below(all.length), 1));
    client.moves.lose(picked);
    return;
  }
  const options = playable(G, Number(ctx.currentPlayer));
  const at = below(options.length + 1);
  if (at === options.length) client.moves.stop();
  else client.moves.play(options[at]);
}

const fights = Number(process.argv[2] ?? 400);
const wins = [0, 0, 0];
let decisions = 0;
const before = process.cpuUsage();
for (let fight = 0; fight < fights; fight += 1) {
  const client = Client({ game: { ...Duel, seed: fight }, numPlayers: 2, debug: false });
  client.start();
  const below = generator(fight);
  while (!client.getState().ctx.gameover) {
    decide(client, below);
    decisions += 1;
  }
  wins[client.getState().ctx.gameover.winner ?? 2] += 1;
  client.stop();
}
const used = process.cpuUsage(before);
const seconds = (used.user + used.system) / 1e6;
console.log(`${fights} fights, ${decisions} decisions (${(decisions / fights).toFixed(1)} per fight), wins ${wins.join(", ")}`);
console.log(`${Math.round(decisions / seconds)} decisions per second of CPU`);
