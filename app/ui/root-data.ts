import { useRouteLoaderData } from 'react-router';
import type { Me } from '#server/account/sign-in.contract.ts';

/** What every page knows, on the server and in the browser: the root route's data. */
export interface RootData {
  scheme: 'light' | 'dark';
  /** Of the page's own scripts. */
  nonce: string;
  requestId: string;
  /** The address of the page, without its host. */
  here: string;
  /** The fields of a form whose page is an error page. */
  posted: [string, string][] | undefined;
  /** The signed-in person; undefined outside the signed-in screens. */
  me: Me | undefined;
  /** What the page shows once. */
  flash: { kind: 'success' | 'warning'; msg: string } | undefined;
}

/** Undefined in the error page of the root itself. */
export const useRootData = () => useRouteLoaderData<RootData>('root');
