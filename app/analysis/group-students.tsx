/** Students who answered a question in one way (such as wrong), with actions for them. */
import { Button } from '@mantine/core';
import type { AnswerGroup } from '#server/analysis/question.contract.ts';
import { publish } from '../homework/screens.ts';
import type { ListView } from '../lib/list-view.ts';
import { StudentList } from './student-list.tsx';
import type { loadAnswerStudents } from './students.server.ts';

/** Answer groups whose students may get the question again. */
const notRight: readonly AnswerGroup[] = ['part', 'wrong', 'unanswered'];

interface GroupStudentsProps {
  view: ListView;
  found: Awaited<ReturnType<typeof loadAnswerStudents>>;
  group: AnswerGroup;
  questionId: number;
  /** Address to which the dialog closes. Publishing returns there too. */
  back: string;
}

export function GroupStudents({ view, found, group, questionId, back }: GroupStudentsProps) {
  const { students, copies, mayDispatch, scope } = found;
  const { hw_id: id, class_id } = scope;
  return (
    <StudentList
      view={view}
      students={students}
      copies={copies}
      actions={
        mayDispatch &&
        notRight.includes(group) && (
          <Button
            component="a"
            variant="default"
            href={publish.href({ type: 'remedial', id, class_id: class_id || undefined, ques_ids: [questionId], back })}
            title="作业发布到班级：布置给这些学员所在的班级，只含本题"
          >
            生成订正作业
          </Button>
        )
      }
    />
  );
}
