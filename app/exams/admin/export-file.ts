import { exportAdminExam } from '#server/exams/admin.contract.ts';
import { exportFileLoader } from '../../questions/export-dialog.server.ts';
import { adminExamExportFile } from '../screens.ts';

export const loader = exportFileLoader(exportAdminExam, adminExamExportFile);
