/** Makes the loaders of an `exportDialog` and of the file that it downloads. */
import type { AnyCall } from '#server/platform/calls/call.ts';
import type { ExportPlan } from '#server/questions/export.contract.ts';
import type { ExportFormat } from '#server/questions/export.rules.ts';
import { api } from '../api/client.server.ts';
import type { FormRequest } from '../shell/form-request.ts';
import { requirePermission } from '../shell/permissions.server.ts';
import type { ExportDialogOptions } from './export-dialog.tsx';

/** Makes a loader that requires the permission for the call. */
export const exportLoader =
  <Of extends string>({ call, at, recordId }: ExportDialogOptions<Of>) =>
  async ({ context, url }: Pick<FormRequest, 'context' | 'url'>) => {
    requirePermission(context, call as Parameters<typeof requirePermission>[1]);
    const choice = at.at(url);
    const closeHref = at.behind(url);
    const id = recordId(new URL(closeHref, url));
    const send = context.get(api).send as (call: AnyCall, request: object) => Promise<unknown>;
    const plan = (await send(call, { params: { id }, query: choice })) as ExportPlan;
    return { plan, id, choice, closeHref };
  };

/** Makes a loader that answers the file. The page has the same search parameters as the call. */
export const exportFileLoader =
  (call: AnyCall, at: { at(url: URL): { format: ExportFormat; id?: number } }) =>
  ({ request, context, url }: Pick<FormRequest, 'context' | 'url' | 'request'>): Promise<Response> => {
    const { format, id } = at.at(url);
    const params = { format, ...(id !== undefined && { id }) };
    return context.get(api).file(call, { params, query: Object.fromEntries(url.searchParams), from: request });
  };
