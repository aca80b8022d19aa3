import { takeOver } from '../ui/take-over.tsx';
import { NoticeForm } from './notice-form.tsx';

takeOver('notice-form.island', NoticeForm);
