// npm run access -- NAME [--spelling NAME,NAME] [--number NUMBER] [--username USERNAME]: lists
// every record that names a person.
import { gatherHits } from '../access-requests/gather.ts';
import { print, runCommand } from './command.ts';
import { withDatabase } from './with-database.ts';

await runCommand({
  usage: 'npm run access -- NAME [--spelling NAME,NAME] [--number NUMBER] [--username USERNAME]',
  argumentCount: 1,
  options: { spelling: { type: 'string' }, number: { type: 'string' }, username: { type: 'string' } },
  run: (config, [name = ''], { spelling = '', number = '', username = '' }) =>
    withDatabase(config, async (db) => {
      const spellings = String(spelling)
        .split(',')
        .map((spelling) => spelling.trim())
        .filter(Boolean);
      const hits = await gatherHits(db, { name, spellings, number: String(number), username: String(username) });
      for (const isPossible of [false, true]) {
        const listedHits = hits.filter((hit) => hit.isPossible === isPossible);
        print(`${isPossible ? 'May be someone else' : 'Found'}: ${listedHits.length}`);
        for (const { thing, label, where, others } of listedHits)
          print(`  ${thing} ${label} (${where.join(', ')})${others.length > 0 ? `; also ${others.join(', ')}` : ''}`);
      }
      print('Choose what to send under Admin, Records, Access Requests.');
    }),
});
