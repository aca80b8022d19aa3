import { exportAdministeredExam } from '#server/exams/admin.contract.ts';
import { exportFileLoader } from '../../questions/export-dialog.server.ts';
import { administeredExportFile } from '../screens.ts';

export const loader = exportFileLoader(exportAdministeredExam, administeredExportFile);
