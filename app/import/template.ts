/** Returns a workbook to fill in, with examples and a description of each column. */
import { importTemplate } from '#server/import/export.contract.ts';
import { api } from '../api/client.server.ts';
import type { Route } from './+types/template';

export function loader({ request, context }: Route.LoaderArgs) {
  return context.get(api).file(importTemplate, { params: {}, from: request });
}
