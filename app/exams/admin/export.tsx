/** Dialog over an exam of administrators that exports its questions. */
import { planAdminExport } from '#server/exams/admin.contract.ts';
import { exportLoader } from '../../questions/export-dialog.server.ts';
import { exportDialog } from '../../questions/export-dialog.tsx';
import { adminExamExport, adminExamExportFile, examRecord } from '../screens.ts';

const dialog = exportDialog({
  call: planAdminExport,
  at: adminExamExport,
  file: adminExamExportFile,
  recordId: (behind) => examRecord.at(behind).id,
});

export const meta = dialog.meta;
export const loader = exportLoader(dialog);
export default dialog.page;
