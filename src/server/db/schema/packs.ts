// Packs of reports.
import type { PackState } from '#shared/packs.ts';
import type { Flag } from './flag.ts';

export type PackItemThing = 'report' | 'audit' | 'checks';

export type PackTables = {
  packs: {
    id: string;
    recipient: string;
    purpose: string;
    without_names: Flag;
    state: PackState;
    /** Completed steps, and all steps. */
    done: number;
    total: number;
    attempts: number;
    /** The instance that builds it, and the end of its claim. */
    claim: string | null;
    claimed_until: string | null;
    problem: string | null;
    bytes: number | null;
    has_file: Flag;
    created_at: string;
    created_by: string;
    created_by_name: string;
    expires_at: string | null;
  };
  /** The records in a pack; for submissions, the park (`checks`). */
  pack_items: { pack_id: string; thing: PackItemThing; thing_id: string };
};
