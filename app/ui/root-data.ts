import { createContext, use } from 'react';
import type { Me } from '#server/account/sign-in.contract.ts';
import type { Counts } from '#server/workbench/contract.ts';

/** Data of the root route, available on every page and in islands. */
export interface RootData {
  scheme: 'light' | 'dark';
  /** Time at which the page was rendered, in unix seconds by the school's clock. */
  now: number;
  /** CSP nonce of the page's scripts. */
  nonce: string;
  requestId: string;
  /** Address of the page, without host. */
  here: string;
  /** Fields of the posted form, for an error page. */
  posted: [string, string][] | undefined;
  /** The signed-in user. Undefined outside the screens for signed-in users. */
  me: Me | undefined;
  /** The user's pending counts. Undefined if unknown. */
  counts: Counts | undefined;
  /** Message that the page shows once. */
  flash:
    | { kind: 'success' | 'warning'; msg: string; onwards?: { href: string; label: string } | undefined }
    | undefined;
  /** Set by an island while the server renders the page from top to bottom. The island also loads the shortcuts. */
  hasIsland?: true;
  /** Set inside a hydrated island. */
  inIsland?: true;
}

/** The root and each hydrated island (hydrated.tsx) provide this context, so that its readers need no router. */
export const RootDataContext = createContext<RootData | undefined>(undefined);

/** Returns the root data. Undefined in the error page of the root itself. */
export const useRootData = () => use(RootDataContext);
