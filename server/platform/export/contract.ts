/** Calls that download files made for the user: exports and papers. */
import * as v from 'valibot';
import { call } from '#server/platform/calls/call.ts';

/** Serves the address that an export returned. While the file is being made: 202 with `{done, total, name}`. */
export const exportedFile = call({
  method: 'GET',
  path: '/exports/:token',
  title: '下载导出文件',
  params: { token: v.pipe(v.string(), v.regex(/^[\w-]{20,60}$/)) },
  file: true,
  answer: v.unknown(),
});

/** Progress of an export that is being made. `name`: file name of the finished export. */
export const ExportProgress = v.object({ done: v.number(), total: v.number(), name: v.string() });
export type ExportProgress = v.InferOutput<typeof ExportProgress>;
