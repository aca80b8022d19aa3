/** Exports a selection of questions: reports what the format cannot hold, and answers the file. */
import { invalid, isRefusal, type Refusal, refuseField } from '#server/platform/calls/outcome.ts';
import { contentDisposition } from '#server/platform/files/serve.ts';
import type { Storage } from '#server/platform/files/storage.ts';
import { dayOf } from '#server/school/calendar.ts';
import type { ExportPlan, ExportQuery } from '../export.contract.ts';
import type { ImportNote } from '../import.contract.ts';
import { type ExportFormat, exportFault, exportFormatNames, exportMessages, hidesAnswers } from '../rules.ts';
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
  { format, without_answers }: ExportQuery,
): Promise<ExportPlan | Refusal> {
  if (isRefusal(selection)) return selection;
  const { storage } = context;
  const { questions } = selection;
  const answers = without_answers !== 1 || !hidesAnswers(format);
  const early = exportFault(questions.length, questions.length);
  const options: ExportOptions = {
    title: selection.title,
    answers,
    reportOnly: true,
    // Only whether the picture is there matters here; its bytes are read for the file.
    readPicture: async (src) => ((await storage.stat(storedKey(src) ?? '')) ? new Uint8Array() : undefined),
  };
  const written = early ? undefined : await questionWriters[format].write(questions, options);
  const count = written?.count ?? questions.length;
  return {
    title: selection.title,
    total: questions.length,
    count,
    file_name: fileName(context, selection.title, { format, answers }),
    fault: early ?? exportFault(questions.length, count) ?? '',
    losses: [...selection.losses, ...(written?.losses ?? [])],
  };
}

/** Answers the file. 422: nothing to export, or too much. */
export async function exportFile(
  context: ExportContext,
  selection: ExportSelection | Refusal,
  { format, without_answers }: ExportQuery,
): Promise<Response | Refusal> {
  if (isRefusal(selection)) return selection;
  const { storage } = context;
  const { questions, title } = selection;
  const refused = refuseField('ids', exportFault(questions.length, questions.length));
  if (refused) return refused;
  let left = maxPictures;
  const answers = without_answers !== 1 || !hidesAnswers(format);
  const readPicture = async (src: string) => {
    const key = storedKey(src);
    const bytes = key === undefined ? null : await storage.readWhole(key, left);
    left -= bytes?.byteLength ?? 0;
    return bytes ?? undefined;
  };
  const { contentType, write } = questionWriters[format];
  const { bytes, count = questions.length } = await write(questions, { title, answers, readPicture });
  if (count === 0) return invalid({ ids: [exportMessages.nothingHeld] });
  return new Response(new Uint8Array(bytes), {
    headers: {
      'content-type': contentType,
      'content-disposition': contentDisposition('attachment', fileName(context, title, { format, answers })),
      'cache-control': 'private, no-store',
    },
  });
}

function fileName(
  { now, settings: { timezone } }: ExportContext,
  title: string,
  { format, answers }: { format: ExportFormat; answers: boolean },
): string {
  const name = title.replace(/[\\/:*?"<>|\p{Cc}]/gu, ' ').trim();
  const note = hidesAnswers(format) && !answers ? '（无答案）' : '';
  return `${name}${note}-${exportFormatNames[format]}-${dayOf(now, timezone)}.${questionWriters[format].ending}`;
}
