/** Header of a homework: title, dates, progress rings, counts and actions. */
import { Button } from '@mantine/core';
import { useLocation } from 'react-router';
import type { ArrangeData, HomeworkHeader } from '#server/analysis/contract.ts';
import {
  deadlineFault,
  hasEnded,
  ownerFault,
  partlyPublishedType,
  publishMoreFault,
  recalledStatus,
} from '#server/homework/rules.ts';
import { formatScore } from '#server/platform/text/rules.ts';
import { questionTypeNames } from '#server/questions/rules.ts';
import { identityNames } from '../account/terms.ts';
import { deadline, publish, publishToMore } from '../homework/screens.ts';
import { homeworkTypeNames } from '../homework/terms.ts';
import { formatTime } from '../lib/dates.ts';
import { Fact, Facts } from '../ui/facts.tsx';
import { Form, Submit } from '../ui/form.tsx';
import { NearMoment } from '../ui/moment.tsx';
import { Ring } from '../ui/ring.tsx';
import { useAddress } from '../ui/screen.tsx';
import { Tag } from '../ui/tag.tsx';
import { useFieldVisibility } from '../ui/use-school.ts';
import type { Detail } from './detail.server.ts';
import styles from './detail-header.analysis.module.css';
import {
  type DetailTab,
  detailScreens,
  homeworkAnswers,
  homeworkDetail,
  homeworkExport,
  homeworkPreview,
  homeworkStatistics,
  type Scope,
  submissions,
} from './screens.ts';

export function DetailHeader({ detail }: { detail: Detail }) {
  const { header, arrangeData, place, timezone, now } = detail;
  return (
    <header className={styles.header}>
      <div className={styles.title}>
        <h1>
          {header.homework_name}{' '}
          {header.status === recalledStatus ? (
            <Tag tone="bad">已撤回</Tag>
          ) : (
            <Tag>{hasEnded(header, now) ? '已截止' : '进行中'}</Tag>
          )}
        </h1>
        <Actions detail={detail} />
      </div>
      <div>
        <Facts>
          <Fact term="截止时间">
            <NearMoment at={header.ending_time} now={now} />
          </Fact>
          <Fact term="发布时间">
            <NearMoment at={header.publish_time} now={now} />
          </Fact>
          <Fact term="班级">
            {place.class_id === 0 ? (
              `${header.class.length} 个班级`
            ) : (
              <>
                {header.class_name}{' '}
                <a href={homeworkDetail.href({ hw_id: place.hw_id, class_id: 0, tab: detail.tab })}>全部班级</a>
              </>
            )}
          </Fact>
          <Fact term="发布人">
            {header.creator}（{identityNames[header.creator_type === 1 ? 'teacher' : 'assist']}）
          </Fact>
        </Facts>
        {arrangeData && <Lesson lesson={arrangeData} timezone={timezone} />}
        <details className={styles.more}>
          <summary>更多信息</summary>
          <Facts>
            <Fact term="题目">{typeSummary(header)}</Fact>
            <Fact term="作业类型">{homeworkTypeNames[header.type]}</Fact>
            <Fact term="课程">{header.course}</Fact>
            <Fact term="课时">{header.period || '-'}</Fact>
            {place.class_id === 0 && (
              <Fact term="各班作业">
                <Classes header={header} place={place} tab={detail.tab} />
              </Fact>
            )}
            <Fact term="备注">{header.remark || '-'}</Fact>
          </Facts>
        </details>
      </div>
    </header>
  );
}

/** Shows the numbers of submitted and graded reports, beside the tabs. */
export function DetailFigures({ header }: { header: HomeworkHeader }) {
  const { total, submit, revise } = header;
  const reports = useAddress(submissions);
  const isRecalled = header.status === recalledStatus;
  const counted = <Counted extends number | string>(count: Counted) => (isRecalled ? '-' : count);
  return (
    <div className={styles.figures}>
      <div className={styles.rings}>
        <Ring label="提交率" percent={isRecalled ? null : header.submit_rate} detail={counted(`${submit}/${total}`)} />
        <Ring
          label="批改率"
          percent={isRecalled ? null : header.revise_rate}
          detail={counted(`${revise}/${submit}`)}
          tone="good"
        />
      </div>
      <ul className={styles.counts}>
        <Count name="应交" number={counted(total)} href={reports.reset} />
        <Count name="已交" number={counted(submit)} />
        <Count name="未批改" number={counted(submit - revise)} href={reports.withOnly({ status: 2 })} />
        <Count name="已批改" number={counted(revise)} href={reports.withOnly({ status: 3 })} />
      </ul>
      {total - submit > 0 && (
        <div className={styles.missing}>
          <a href={reports.withOnly({ status: 1 })}>{total - submit} 人未提交</a>
        </div>
      )}
    </div>
  );
}

function Count({ name, number, href }: { name: string; number: number | '-'; href?: string }) {
  const content = (
    <>
      <strong>{number}</strong>
      <span>{name}</span>
    </>
  );
  return <li>{href && number !== '-' && number > 0 ? <a href={href}>{content}</a> : <span>{content}</span>}</li>;
}

/** Names the classes; each links to the same homework in that class. */
function Classes({ header, place, tab }: { header: HomeworkHeader; place: Scope; tab: DetailTab }) {
  const screen = detailScreens.of(useLocation().pathname);
  return (
    <span className={styles.classes}>
      {header.class.map(({ id, name }) => (
        <a key={id} href={screen.href({ hw_id: place.hw_id, class_id: id, tab })}>
          {name}
        </a>
      ))}
    </span>
  );
}

/** Counts the questions by type, with points if the homework has scores. */
function typeSummary({ scores, is_set_score, question_num, score }: HomeworkHeader): string {
  const scored = is_set_score === 2;
  const types = ([1, 2, 3, 4, 5, 7, 6] as const).flatMap((type) => {
    const summary = scores[type];
    if (!summary || summary.count === 0) return [];
    const parts = type === 6 ? `（${summary.item_count} 小题）` : '';
    return `${questionTypeNames[type]} ${summary.count} 题${parts}${scored ? `共 ${formatScore(summary.score)} 分` : ''}`;
  });
  const whole = scored ? `总分 ${formatScore(score)} 分` : '按正确率计分';
  return [...types, `合计 ${question_num} 题，${whole}`].join('；');
}

function Lesson({ lesson, timezone }: { lesson: ArrangeData; timezone: string }) {
  const shown = useFieldVisibility();
  return (
    <div className={styles.lesson}>
      <Facts aria-label="课次信息">
        <Fact term="班级名称">{lesson.name}</Fact>
        {shown.classify && <Fact term="分类">{lesson.classify_name || '-'}</Fact>}
        {shown.grade && <Fact term="年级">{lesson.grade_name || '-'}</Fact>}
        <Fact term="科目">{lesson.subject_name || '-'}</Fact>
        <Fact term="上课日期">{formatTime(lesson.arrange_time, timezone).slice(0, 10)}</Fact>
        <Fact term="上课时间">{lesson.time_name}</Fact>
      </Facts>
    </div>
  );
}

/** Deadline changes and further publication are offered only when all classes are shown. */
function Actions({ detail }: { detail: Detail }) {
  const { header, place, buttons: facts, may, now, identity, here } = detail;
  const { hw_id, class_id, from } = place;
  const buttons = may.dispatch && class_id === 0 && from === undefined ? facts : null;
  const stranger = ownerFault(buttons?.is_owner === 1);
  return (
    <div className={`${styles.actions} no-print`} data-scrolls="">
      {buttons?.publish_type === partlyPublishedType && (
        <DialogLink
          main
          label="继续发布"
          href={publishToMore.href(here, { id: hw_id })}
          fault={stranger ?? publishMoreFault(buttons, now)}
        />
      )}
      {buttons && (
        <DialogLink
          label="调整截止时间"
          href={deadline.href(here, { id: hw_id })}
          fault={stranger ?? deadlineFault(buttons, now)}
        />
      )}
      {buttons && stranger === undefined && header.status === recalledStatus && (
        <Button component="a" href={publish.href({ type: 'copy', id: hw_id, back: here })}>
          以原内容重新布置
        </Button>
      )}
      <Button component="a" variant="default" href={homeworkPreview.href({ hw_id })}>
        预览作业
      </Button>
      <Button component="a" variant="default" href={homeworkStatistics.href(place)}>
        作业统计
      </Button>
      <Button component="a" variant="default" href={homeworkAnswers.href(place)}>
        答题详情
      </Button>
      {may.dispatch && (
        <Button component="a" variant="default" href={homeworkExport.href(here)}>
          导出题目
        </Button>
      )}
      {identity === 'teacher' && (
        <Form action={here}>
          <Submit intent="paper" variant="default">
            下载作业
          </Submit>
        </Form>
      )}
    </div>
  );
}

/** A link to a dialog. If `fault` is set, it is disabled and shows `fault` as the reason. */
interface DialogLinkProps {
  label: string;
  href: string;
  fault: string | undefined;
  main?: boolean;
}

function DialogLink({ label, href, fault, main }: DialogLinkProps) {
  if (!fault && main) {
    return (
      <Button component="a" href={href}>
        {label}
      </Button>
    );
  }
  if (!fault) {
    return (
      <Button component="a" href={href} variant="default">
        {label}
      </Button>
    );
  }
  return (
    <Button type="button" variant="default" disabled title={fault}>
      {label}
    </Button>
  );
}
