// Packs of reports.
import type { PackState } from '#shared/packs.ts';
import type { Flag } from './flag.ts';

export type PackItemThing = 'report' | 'audit' | 'investigation' | 'checks';

export type PackTables = {
  packs: {
    id: string;
    recipient: string;
    purpose: string;
    without_names: Flag;
    with_investigations: Flag;
    state: PackState;
    /** The number of completed steps of the build, and of all steps. */
    done: number;
    total: number;
    attempts: number;
    /** The instance that builds the pack, and when its claim ends. */
    claim: string | null;
    claimed_until: string | null;
    problem: string | null;
    bytes: number | null;
    has_file: Flag;
    created_at: string;
    created_by: string;
    created_by_name: string;
    expires_at: string | null;
    /** JSON, set when it is built: the parks whose audits it may contain, its creator's; null for all. */
    parks: string;
  };
  /** The records in a pack. Submissions have one row for each park, with `checks` as `thing`. */
  pack_items: { pack_id: string; thing: PackItemThing; thing_id: string };
};
