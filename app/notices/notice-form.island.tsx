import { takeOver } from '../ui/client/take-over.tsx';
import { NoticeForm } from './notice-form.tsx';

takeOver('notice-form.island', NoticeForm);
