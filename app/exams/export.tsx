/** Dialog over an exam that exports its questions. */
import { planExamExport } from '#server/exams/paper.contract.ts';
import { exportLoader } from '../questions/export-dialog.server.ts';
import { exportDialog } from '../questions/export-dialog.tsx';
import { examDetail, examExport, examExportFile } from './screens.ts';

const dialog = exportDialog({
  call: planExamExport,
  at: examExport,
  file: examExportFile,
  recordId: (behind) => examDetail.at(behind).id,
});

export const meta = dialog.meta;
export const loader = exportLoader(dialog);
export default dialog.page;
