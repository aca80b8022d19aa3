/** Form that adds students to a class. Shows the effect first. */

import { joinFault, memberMessages } from '#server/classes/rules.ts';
import { addMembers, showJoiningPreview, showMembership } from '#server/enrolment/contract.ts';
import { joinFirstNames } from '#server/platform/text/rules.ts';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { formScreen } from '../shell/form-screen.tsx';
import type { ScreenHandle } from '../shell/frame.tsx';
import { studentScreen } from '../students/screens.ts';
import { Fact, Facts } from '../ui/facts.tsx';
import styles from './enrolment.posts.module.css';
import { classMembers, membersJoin } from './screens.ts';

export const handle: ScreenHandle = {
  crumbs: [{ label: '学员', href: studentScreen.href() }, { label: '加入班级' }],
};

const screen = formScreen({
  call: addMembers,
  params: membersJoin.at,
  back: (url) => membersJoin.at(url).back ?? classMembers.href(membersJoin.at(url)),
  title: '加入班级',
  submit: '确定加入',
  cancel: true,
});

export const meta = screen.meta;

export const loader = dialogLoader(screen, async ({ client, params, url }) => {
  const { ids } = membersJoin.at(url);
  const [theClass, foreseen] = await Promise.all([
    client.send(showMembership, { params }),
    client.send(showJoiningPreview, { params, query: { ids } }),
  ]);
  const { students, effect, open_homework, open_reports } = foreseen;
  return {
    subject: theClass.name,
    names: `${joinFirstNames(students.map(({ name }) => name))}（${students.length}名）`,
    homework: homeworkChoice(open_homework, open_reports),
    effect,
    values: { with_homework: 1 },
    refusal: students.length === 0 ? memberMessages.allIn : joinFault(theClass, theClass.present + students.length),
  };
});

export const action = dialogAction(screen, { body: (_, { url }) => ({ ids: membersJoin.at(url).ids }) });

function homeworkChoice(openHomework: number, openReports: number): string {
  const given = openHomework > 0 && `同时布置班级未截止的${openHomework}个作业给他们`;
  const brought = openReports > 0 && `带上他们在其他班级未提交或待批改的${openReports}份作业`;
  return [given, brought].filter(Boolean).join('，');
}

export default screen.page<typeof loader>(({ CheckField, TextField }, { subject, names, effect, homework }) => (
  <>
    <Facts inColumns>
      <Fact term="班级">{subject}</Fact>
      <Fact term="学员">{names}</Fact>
    </Facts>
    {effect && <p className={styles.effect}>{effect}。</p>}
    <TextField name="day" type="date" label="加入日期" description="留空为现在；更早的日期会改变之后课时的应到人数" />
    {homework && <CheckField name="with_homework" label={homework} />}
  </>
));
