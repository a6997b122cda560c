#!/usr/bin/env node
// Empiki through node-uci: a game on clocks with pondering, and lines as they come.
//
// Usage: npm install node-uci
//        node scripts/clients/node_uci.js [--engine target/release/empiki] [--variant wuri] [--seconds 2] [--lines 3]
//
// Prints the moves of a game of two engines, who has won, and then the best lines at the start, each as it is found.
// The library takes no sign `<`, `>` or `*` for part of a best move and would wait for ever, so Omweso is played
// without reverse and okwesera, which need them. Tried with node-uci 1.3.4.

const { parseArgs } = require("node:util");
const { Engine } = require("node-uci");

/** One side of a game. It thinks on its clock, and ponders on the time of the other side. */
class Player {
  constructor(engine) {
    this.engine = engine;
    this.guess = null; // the moves, with the expected answer, that the engine ponders on
    this.pondering = null; // what the search for it will answer
  }

  /** What the engine answers to these moves; `clocks` is as `{ wtime, btime, winc, binc }`, in milliseconds. */
  async move(moves, clocks) {
    let answer;
    if (this.guess === moves.join(" ")) {
      // Not ponderhit(): it asks `isready` behind it, and the library overlooks a best move that comes just before `readyok`.
      this.engine.write("ponderhit");
      answer = await this.pondering;
    } else {
      await this.stop();
      await this.engine.position("startpos", moves);
      answer = await this.engine.go(clocks);
    }
    this.guess = null;
    if (answer.ponder) {
      const guess = [...moves, answer.bestmove, answer.ponder];
      await this.engine.position("startpos", guess);
      this.guess = guess.join(" ");
      this.pondering = this.engine.go({ ponder: true, ...clocks });
    }
    return answer;
  }

  /** Ends the pondering, if there is any. */
  async stop() {
    if (this.guess !== null) {
      this.engine.write("stop");
      await this.pondering;
    }
    this.guess = null;
  }
}

/** Plays a game with so many seconds a side; returns the moves and the score of the end, seen by the side to move. */
async function playGame(engines, seconds) {
  const players = engines.map((engine) => new Player(engine));
  const clocks = [1000 * seconds, 1000 * seconds];
  const increment = Math.round(10 * seconds);
  const moves = [];
  for (;;) {
    const mover = moves.length % 2;
    const [wtime, btime] = clocks.map((clock) => Math.max(1, Math.round(clock)));
    const begun = performance.now();
    const { bestmove, info } = await players[mover].move(moves, { wtime, btime, winc: increment, binc: increment });
    clocks[mover] += increment - (performance.now() - begun);
    if (bestmove === "0000") {
      for (const player of players) await player.stop();
      return { moves, score: info.at(-1).score };
    }
    moves.push(bestmove);
  }
}

/** Prints the best lines at the start, each as it is found, and stops the search at a depth. */
async function analyse(engine, lines, depth) {
  await engine.setoption("MultiPV", lines);
  await engine.position("startpos");
  const search = engine.goInfinite();
  await new Promise((resolve) => {
    search.on("data", (info) => {
      if (!info.pv) return;
      console.log(`depth ${info.depth} line ${info.multipv} score ${info.score.unit} ${info.score.value}: ${info.pv}`);
      if (info.depth >= depth && info.multipv === lines) resolve();
    });
  });
  await engine.stop();
}

async function main() {
  const { values } = parseArgs({
    options: {
      engine: { type: "string", default: "target/release/empiki" },
      variant: { type: "string", default: "wuri" },
      seconds: { type: "string", default: "2" },
      lines: { type: "string", default: "3" },
    },
  });
  const engines = [new Engine(values.engine), new Engine(values.engine)];
  for (const engine of engines) {
    await engine.init();
    await engine.setoption("UCI_Variant", values.variant);
    await engine.setoption("Ponder", "true");
    if (values.variant === "omweso") {
      await engine.setoption("Omweso_Reverse", "false");
      await engine.setoption("Omweso_Okwesera", "false");
    }
  }
  const { moves, score } = await playGame(engines, Number(values.seconds));
  console.log(`${moves.length} plies: ${moves.join(" ")}`);
  // A finished game is `mate 0` for a loser, `mate 1` for a winner, and `cp 0` if it is drawn or void.
  const end = score.unit === "cp" ? "has drawn" : score.value > 0 ? "has won" : "has lost";
  console.log(moves.length % 2 === 0 ? "South" : "North", end);
  await analyse(engines[0], Number(values.lines), 6);
  for (const engine of engines) await engine.quit();
}

main();
