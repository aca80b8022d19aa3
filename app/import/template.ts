/** The workbook to fill in: an example in each sheet, and what each column is. */
import { importTemplate } from '#server/import/export.contract.ts';
import { api } from '../api/client.server.ts';
import type { Route } from './+types/template';

export function loader({ request, context }: Route.LoaderArgs) {
  return context.get(api).file(importTemplate, { params: {}, from: request });
}
