/** The loaders of the grading screens: the page, and the same desk as JSON for the living page. */
import { data, type RouterContextProvider } from 'react-router';
import { api } from '../../api/client.server.ts';
import type { Desk } from './desk.ts';
import type { DeskCalls } from './desk-calls.server.ts';
import { outcomeJson } from './outcome-json.server.ts';

interface Asked {
  context: Readonly<RouterContextProvider>;
  url: URL;
}

export async function openScreen(calls: DeskCalls, { context, url }: Asked): Promise<Desk> {
  const opened = await calls.open(context.get(api), calls.screens.desk.at(url));
  if (!opened.ok) throw data({ msg: opened.msg }, { status: opened.status });
  return opened.data;
}

export const openJson = (calls: DeskCalls, { context, url }: Asked): Promise<Response> =>
  outcomeJson(() => calls.open(context.get(api), calls.screens.data.at(url)));
