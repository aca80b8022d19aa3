import { takeOver } from '../ui/take-over.tsx';
import { QuestionEditor } from './question-editor.tsx';

takeOver('question-editor.island', QuestionEditor);
