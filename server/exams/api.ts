import { handle } from '#server/http/handle.ts';
import { downloadExam, examReport, previewExam } from './contract.ts';
import { examPreview } from './preview.ts';
import { examPdf } from './print.ts';
import { examSheet } from './sheet.ts';

export const examCalls = [
  handle(previewExam, ({ db, actor, params }) => examPreview(db, actor, params.id)),
  handle(downloadExam, ({ db, storage, log, actor, now, params, body }) =>
    examPdf({ db, storage, log }, { actor, now }, { examId: params.id, variant: body.variant }),
  ),
  handle(examReport, ({ db, actor, params }) => examSheet(db, actor, params.reportId)),
];
