/** 导出: to the file, or back to the screen with the sentence that says why not. */
import { type RouterContextProvider, redirect } from 'react-router';
import type { Outcome } from '../api/outcome.server.ts';
import { mustBeThere } from '../shell/dialog-action.server.ts';
import { getSession } from '../shell/session.server.ts';

export function toFile(context: Readonly<RouterContextProvider>, outcome: Outcome<{ url: string }>, url: URL): never {
  if (outcome.ok) throw redirect(outcome.data.url);
  mustBeThere(outcome);
  getSession(context).flash('flash', { kind: 'warning', msg: outcome.msg });
  throw redirect(url.pathname + url.search);
}
