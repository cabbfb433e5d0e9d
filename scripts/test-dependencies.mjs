// Programs that the tests need: the installed ones, or Debian's packages if they may be installed,
// or an error.
import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from './run.mjs';

const minPostgres = 15;

/** Programs that are on the PATH, and the Debian packages that have them. */
const onPath = (name, packages, ...programs) => ({
  ...{ name, packages, find: () => programs.every(findProgram) },
  hint: 'or put the folder of its programs on the PATH',
});

// `find` returns a path, or whether it is there. `packages` are Debian packages.
const dependencies = [
  {
    name: 'Chromium',
    find: findChromium,
    packages: ['chromium-headless-shell', 'fonts-liberation'],
    hint: 'or set CHROMIUM_PATH to a Chromium or Chrome you have',
  },
  {
    name: `PostgreSQL ${minPostgres} or newer (initdb, pg_ctl)`,
    find: findPostgres,
    packages: ['postgresql'],
    hint: 'or put the folder of its programs on the PATH',
  },
  onPath('Poppler (pdftotext, pdftoppm)', ['poppler-utils'], 'pdftotext', 'pdftoppm'),
  onPath('strace, which records what a server asks of the disk', ['strace'], 'strace'),
  onPath('LibreOffice Calc, which opens the spreadsheets', ['libreoffice-calc-nogui'], 'soffice'),
  onPath('Python 3, which reads the exported files', ['python3'], 'python3'),
  onPath('age, which opens encrypted backups by hand', ['age'], 'age'),
  onPath('Caddy, which reads deploy/Caddyfile', ['caddy'], 'caddy'),
  onPath('Firefox ESR', ['firefox-esr'], 'firefox-esr'),
  {
    name: 'WebKitGTK and its driver (WebKitWebDriver, PyGObject, Xvfb)',
    find: () => findProgram('WebKitWebDriver') && findProgram('Xvfb') && hasWebKitForPython(),
    packages: ['webkit2gtk-driver', 'python3-gi', 'gir1.2-webkit2-4.1', 'xvfb'],
    hint: 'or put the folder of its programs on the PATH',
  },
  {
    // WebKitGTK's process crashes if no font has a character; Liberation lacks some that the report
    // form shows.
    name: 'DejaVu fonts, for WebKitGTK',
    find: () => existsSync('/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'),
    packages: ['fonts-dejavu-core'],
    hint: 'or install them there',
  },
];

/** Finds or installs everything. Rejects with a message about each missing program. */
export async function ensureTestDependencies() {
  const listAbsent = () => dependencies.filter(({ find }) => !find());
  if (listAbsent().length > 0) await installDebianPackages(listAbsent().flatMap(({ packages }) => packages));
  const missing = listAbsent().map(
    ({ name, packages, hint }) => `- ${name}. Install it (on Debian: apt-get install ${packages.join(' ')}), ${hint}.`,
  );
  if (missing.length > 0) {
    throw new Error(`The tests need what this machine lacks and this script could not install:\n${missing.join('\n')}`);
  }
}

/** Returns the path of Chromium or Chrome: CHROMIUM_PATH if set; undefined if there is none. */
export function findChromium() {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH) return isExecutable(CHROMIUM_PATH) ? CHROMIUM_PATH : undefined;
  // The headless shell has the same engine but needs half the CPU time.
  const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  return (
    names.map((name) => findProgram(name)).find(Boolean) ??
    [
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    ].find(isExecutable)
  );
}

/** Returns the folder of PostgreSQL's programs: on the PATH, or Debian's newest; undefined if there is none. */
export function findPostgres() {
  const debian = '/usr/lib/postgresql';
  const versions = listFolder(debian).sort((a, b) => Number(b) - Number(a));
  const folders = [...listPathFolders(), ...versions.map((version) => `${debian}/${version}/bin`)];
  return folders.find(
    (folder) =>
      isExecutable(join(folder, 'initdb')) &&
      isExecutable(join(folder, 'pg_ctl')) &&
      getPostgresVersion(folder) >= minPostgres,
  );
}

/** Whether e2e/engines/webkit-phone.py can run: Debian's Python, with WebKitGTK in it. */
function hasWebKitForPython() {
  const program = 'import gi; gi.require_version("WebKit2", "4.1")';
  return spawnSync('/usr/bin/python3', ['-c', program], { stdio: 'ignore' }).status === 0;
}

function getPostgresVersion(folder) {
  // "pg_ctl (PostgreSQL) 15.13 (Debian 15.13-0+deb12u1)"
  return Number(
    /PostgreSQL\) (\d+)/.exec(execFileSync(join(folder, 'pg_ctl'), ['--version'], { encoding: 'utf8' }))?.[1],
  );
}

async function installDebianPackages(packages) {
  if (!findProgram('apt-get')) return;
  const isRoot = process.getuid() === 0;
  if (!isRoot && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status !== 0) return;
  console.log(`Installing what the tests need from Debian's packages: ${packages.join(', ')} ...`);
  // Run level 1 prevents a newly installed PostgreSQL from starting a server.
  const apt = ['env', 'RUNLEVEL=1', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq'];
  const [command, ...args] = isRoot ? apt : ['sudo', '-n', ...apt];
  await run(command, [...args, 'update']);
  await run(command, [...args, 'install', '-y', '--no-install-recommends', ...packages]);
}

function findProgram(name) {
  return listPathFolders()
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function listPathFolders() {
  return (process.env.PATH ?? '').split(delimiter).filter(Boolean);
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function listFolder(path) {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
