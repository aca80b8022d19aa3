import { takeOver } from '../ui/client/hydrate-drawn.tsx';
import { NoticeForm } from './notice-form.tsx';

takeOver('notice-form.island', NoticeForm);
