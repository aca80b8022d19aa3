import { createContext, use } from 'react';
import type { Me } from '#server/account/sign-in.contract.ts';
import type { Counts } from '#server/workbench/contract.ts';

/** Data of the root route, available on every page and in islands. */
export interface RootData {
  scheme: 'light' | 'dark';
  /** Unix seconds by the school's clock, when the page was rendered. */
  now: number;
  /** CSP nonce of the page's scripts. */
  nonce: string;
  requestId: string;
  /** Address of the page, without host. */
  here: string;
  /** Fields of the posted form, for an error page. */
  posted: [string, string][] | undefined;
  /** The signed-in user; undefined outside the signed-in screens. */
  me: Me | undefined;
  /** The user's pending counts; undefined if unknown. */
  counts: Counts | undefined;
  /** Message that the page shows once. */
  flash:
    | { kind: 'success' | 'warning'; msg: string; onwards?: { href: string; label: string } | undefined }
    | undefined;
  /** Set by an island during server rendering, from top to bottom: it loads the shortcuts, too. */
  hasIsland?: true;
  /** Set inside a hydrated island. */
  inIsland?: true;
}

/** Provided by the root and by each hydrated island (hydrated.tsx), so that readers need no router. */
export const RootDataContext = createContext<RootData | undefined>(undefined);

/** Undefined in the root's own error page. */
export const useRootData = () => use(RootDataContext);
