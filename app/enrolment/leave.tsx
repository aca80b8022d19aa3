/** Form that removes students from a class. First shows the work that they leave unfinished. */

import { leftReasonLimit, memberMessages } from '#server/classes/rules.ts';
import { endMemberships, showLeavingPreview, showMembership } from '#server/enrolment/contract.ts';
import { joinFirstNames } from '#server/platform/text/rules.ts';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { formScreen } from '../shell/form-screen.tsx';
import type { ScreenHandle } from '../shell/frame.tsx';
import { studentScreen } from '../students/screens.ts';
import { Fact, Facts } from '../ui/facts.tsx';
import styles from './enrolment.posts.module.css';
import { classMembers, membersLeave } from './screens.ts';

export const handle: ScreenHandle = {
  crumbs: [{ label: '学员', href: studentScreen.href() }, { label: '离开班级' }],
};

const screen = formScreen({
  call: endMemberships,
  params: membersLeave.at,
  back: (url) => membersLeave.at(url).back ?? classMembers.href(membersLeave.at(url)),
  title: '离开班级',
  submit: '确定离开',
  tone: 'danger',
  cancel: true,
});

export const meta = screen.meta;

export const loader = dialogLoader(screen, async ({ client, params, url }) => {
  const { ids } = membersLeave.at(url);
  const [theClass, { students, effect }] = await Promise.all([
    client.send(showMembership, { params }),
    client.send(showLeavingPreview, { params, query: { ids } }),
  ]);
  const fault = ids.length === 0 ? memberMessages.nobody : memberMessages.noneIn;
  return {
    subject: theClass.name,
    names: `${joinFirstNames(students.map(({ name }) => name))}（${students.length}名）`,
    effect,
    refusal: students.length === 0 ? fault : undefined,
  };
});

export const action = dialogAction(screen, { body: (_, { url }) => ({ ids: membersLeave.at(url).ids }) });

export default screen.page<typeof loader>(({ TextField }, { subject, names, effect }) => (
  <>
    <Facts inColumns>
      <Fact term="班级">{subject}</Fact>
      <Fact term="学员">{names}</Fact>
    </Facts>
    {effect && <p className={styles.effect}>{effect}。已布置的作业仍可在截止前提交，请假仍可审批。</p>}
    <TextField name="day" type="date" label="离开日期" description="留空为现在；更早的日期会改变之后课时的应到人数" />
    <TextField name="reason" label="离开原因" limit={leftReasonLimit} autoComplete="off" />
  </>
));
