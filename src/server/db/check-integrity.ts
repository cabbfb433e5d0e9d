// Checks the SQLite database at the given path, and prints what is wrong, or `ok`.
import { setPriority } from 'node:os';
import Sqlite from 'better-sqlite3';

setPriority(10); // lower priority than the server's requests
const file = new Sqlite(process.argv[2], { readonly: true, fileMustExist: true, timeout: 5000 });
process.stdout.write(String(file.pragma('quick_check(1)', { simple: true })));
file.close();
