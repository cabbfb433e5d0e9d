// An npm command under its old name: says which one replaces it. Removed in the next version.
console.error(`This command is now called: npm run ${process.argv[2]}`);
process.exit(1);
