// One attack in a process of its own, so that it takes no time from the one that measures. Ends when it is killed.
import { attacks, type Target } from './attacks.ts';

process.once('message', (message) => {
  const { name, target } = message as { name: string; target: Target };
  void attacks[name]?.run(target);
});
