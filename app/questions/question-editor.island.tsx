import { takeOver } from '../ui/client/take-over.tsx';
import { QuestionEditor } from './question-editor.tsx';

takeOver('question-editor.island', QuestionEditor);
