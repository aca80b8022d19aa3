/** Exports a selection of questions: reports what the format cannot hold, and answers the file. */
import { invalid, isRefusal, type Refusal, refuseField } from '#server/platform/calls/outcome.ts';
import { contentDisposition } from '#server/platform/files/serve.ts';
import type { Storage } from '#server/platform/files/storage.ts';
import { dayOf } from '#server/school/calendar.ts';
import type { ExportPlan, ExportQuery } from '../export.contract.ts';
import {
  type ExportFormat,
  type ExportVariant,
  exportFault,
  exportFormatNames,
  exportMessages,
  hasVariants,
} from '../export.rules.ts';
import type { ImportNote } from '../import.contract.ts';

import type { ExportOptions, ExportQuestion } from './export-question.ts';
import { questionWriters } from './writers.ts';

export interface ExportSelection {
  /** Name of the homework or exam, or 我的题目. */
  title: string;
  questions: ExportQuestion[];
  /** Questions of another kind, which no format holds. */
  losses: ImportNote[];
}

interface ExportContext {
  storage: Storage;
  /** Unix seconds. */
  now: number;
  settings: { timezone: string };
}

/** Maximum bytes of all pictures in a file, which is made in memory. */
const maxPictures = 64 * 2 ** 20;

const storedKey = (src: string): string | undefined => /^\/files\/([^?#]+)/.exec(src)?.[1];

/** Tells what an export will contain, and what the format cannot hold. A refused selection is passed on. */
export async function planExport(
  context: ExportContext,
  selection: ExportSelection | Refusal,
  { format, variant }: ExportQuery,
): Promise<ExportPlan | Refusal> {
  if (isRefusal(selection)) return selection;
  const { storage } = context;
  const { questions } = selection;
  const early = exportFault(questions.length, questions.length);
  const options: ExportOptions = {
    title: selection.title,
    variant,
    reportOnly: true,
    // Only whether the picture is there matters here; its bytes are read for the file.
    readPicture: async (src) => ((await storage.stat(storedKey(src) ?? '')) ? new Uint8Array() : undefined),
  };
  const outcome = early ? undefined : await questionWriters[format].write(questions, options);
  const written = isRefusal(outcome) ? undefined : outcome;
  const count = written?.count ?? questions.length;
  const fault = early ?? (isRefusal(outcome) ? outcome.msg : exportFault(questions.length, count));
  return {
    title: selection.title,
    total: questions.length,
    count,
    file_name: fileName(context, selection.title, { format, variant }),
    fault: fault ?? '',
    losses: [...selection.losses, ...(written?.losses ?? [])],
  };
}

/** Answers the file. 422: nothing to export, or too much. */
export async function exportFile(
  context: ExportContext,
  selection: ExportSelection | Refusal,
  { format, variant }: ExportQuery,
): Promise<Response | Refusal> {
  if (isRefusal(selection)) return selection;
  const { storage } = context;
  const { questions, title } = selection;
  const refused = refuseField('ids', exportFault(questions.length, questions.length));
  if (refused) return refused;
  let left = maxPictures;
  const readPicture = async (src: string) => {
    const key = storedKey(src);
    const bytes = key === undefined ? null : await storage.readWhole(key, left);
    left -= bytes?.byteLength ?? 0;
    return bytes ?? undefined;
  };
  const { contentType, write } = questionWriters[format];
  const written = await write(questions, { title, variant, readPicture });
  if (isRefusal(written)) return written;
  const { bytes, count = questions.length } = written;
  if (count === 0) return invalid({ ids: [exportMessages.nothingHeld] });
  return new Response(new Uint8Array(bytes), {
    headers: {
      'content-type': contentType,
      'content-disposition': contentDisposition('attachment', fileName(context, title, { format, variant })),
      'cache-control': 'private, no-store',
    },
  });
}

const noteOf: Readonly<Record<ExportVariant, string>> = {
  'with-answers': '',
  'answers-at-end': '（答案在卷末）',
  paper: '（无答案）',
  'answer-sheet': '（答题卡）',
};

function fileName(
  { now, settings: { timezone } }: ExportContext,
  title: string,
  { format, variant }: { format: ExportFormat; variant: ExportVariant },
): string {
  const name = title.replace(/[\\/:*?"<>|\p{Cc}]/gu, ' ').trim();
  const note = hasVariants(format) ? noteOf[variant] : '';
  return `${name}${note}-${exportFormatNames[format]}-${dayOf(now, timezone)}.${questionWriters[format].ending}`;
}
