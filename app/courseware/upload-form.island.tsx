import { takeOver } from '../ui/client/take-over.tsx';
import { UploadForm } from './upload-form.tsx';

takeOver('upload-form.island', UploadForm);
