/** Dialog over an exam of administrators that exports its questions. */
import { planAdministeredExport } from '#server/exams/admin.contract.ts';
import { exportLoader } from '../../questions/export-dialog.server.ts';
import { exportDialog } from '../../questions/export-dialog.tsx';
import { administeredExport, administeredExportFile, examRecord } from '../screens.ts';

const dialog = exportDialog({
  call: planAdministeredExport,
  at: administeredExport,
  file: administeredExportFile,
  recordId: (behind) => examRecord.at(behind).id,
});

export const meta = dialog.meta;
export const loader = exportLoader(dialog);
export default dialog.page;
