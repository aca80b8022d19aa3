import { createContext, use } from 'react';
import type { Me } from '#server/account/sign-in.contract.ts';
import type { Counts } from '#server/workbench/contract.ts';

/** What every page knows, on the server and in the browser: the root route's data. */
export interface RootData {
  scheme: 'light' | 'dark';
  /** When the page was made, in unix seconds of the school's clock. */
  now: number;
  /** Of the page's own scripts. */
  nonce: string;
  requestId: string;
  /** The address of the page, without its host. */
  here: string;
  /** The fields of a form whose page is an error page. */
  posted: [string, string][] | undefined;
  /** The signed-in person; undefined outside the signed-in screens. */
  me: Me | undefined;
  /** What waits for them; undefined where it is not known. */
  counts: Counts | undefined;
  /** What the page shows once. */
  flash:
    | { kind: 'success' | 'warning'; msg: string; onwards?: { href: string; label: string } | undefined }
    | undefined;
  /** Set by an island while the server draws the page from top to bottom: it brings the keys along. */
  hasIsland?: true;
  /** Set inside an island that React takes over. */
  inIsland?: true;
}

/** Provided by the root, and by each island that React takes over (hydrated.tsx): readers need no router. */
export const RootDataContext = createContext<RootData | undefined>(undefined);

/** Undefined in the error page of the root itself. */
export const useRootData = () => use(RootDataContext);
