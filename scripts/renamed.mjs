// An npm command under its old name: says which one replaces it. To be removed in the next release.
console.error(`This command is now called: npm run ${process.argv[2]}`);
process.exit(1);
