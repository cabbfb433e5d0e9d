// npm run power-cut -- ROUNDS DISKS
//   records a working server, and rebuilds disks as a power cut may leave them (SQLite)
import { parseArguments, parseCount } from '../../src/server/testing/arguments.ts';
import { runPowerCutRounds } from '../../src/server/testing/power-cut/rounds.ts';

const { words } = parseArguments(process.argv.slice(2), { usage: 'npm run power-cut -- [ROUNDS [DISKS]]', most: 2 });
const rounds = parseCount(words[0], 100);
const disks = parseCount(words[1], rounds * 10);
const figures = await runPowerCutRounds({
  rounds,
  disksPerRound: Math.ceil(disks / rounds),
  requests: 700,
  onRound: (round) => {
    if (round % 10 === 0) console.log(`${round} rounds`);
  },
});
console.log(
  `${figures.disks} disks after ${figures.rounds} rounds with ${figures.answered} responses, which acknowledged ${figures.acknowledged} facts: none lost, no disk damaged.\n${figures.inCheckpoint} were cut in a checkpoint, ${figures.afterRestart} soon after the write-ahead log began again. The server started on ${figures.serverStarts} of them.`,
);
