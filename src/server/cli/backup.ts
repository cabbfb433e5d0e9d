// npm run backup -- FOLDER     a backup of the running server, in a new folder inside FOLDER
import { takeBackup } from '../backup/take.ts';
import { runOperation, say } from './command.ts';

await runOperation({
  usage: 'npm run backup -- FOLDER',
  takes: 1,
  async run(config, [into = '']) {
    const { folder, manifest } = await takeBackup(config, into);
    say(`Backed up to ${folder}: ${Object.keys(manifest.files).length} files, ${manifest.activity.seq} log entries.`);
  },
});
