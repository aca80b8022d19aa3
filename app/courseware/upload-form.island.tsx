import { takeOver } from '../ui/client/hydrate-drawn.tsx';
import { UploadForm } from './upload-form.tsx';

takeOver('upload-form.island', UploadForm);
