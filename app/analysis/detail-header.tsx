/** Title, dates, rings, counts and actions of one homework (document 2, section 2.1, header). */
import type { ReactNode } from 'react';
import type { ArrangeData, HomeworkHeader } from '#server/analysis/contract.ts';
import { questionTypeNames } from '#server/questions/contract.ts';
import { homeworkTypeNames } from '../homework/terms.ts';
import { formatTime } from '../lib/dates.ts';
import { identityNames } from '../shell/navigation.ts';
import { useShownFields } from '../shell/use-school.ts';
import { buttonClass } from '../ui/button.tsx';
import { Ring } from '../ui/ring.tsx';
import { detailHref, type Place, placeHref } from './address.ts';
import type { Detail } from './detail.server.ts';
import styles from './detail-header.module.css';
import { points } from './figures.tsx';
import { continueFault, deadlineFault, hasEnded, offersContinue, offersDispatch } from './header-rules.ts';

export function DetailHeader({ detail }: { detail: Detail }) {
  const { header, arrangeData, place, timezone, now } = detail;
  const { total, submit, revise } = header;
  return (
    <header className={styles.header}>
      <div className={styles.facts}>
        <h1>
          {header.homework_name}
          {header.status === 2 ? (
            <span className={styles.recalled}>已撤回</span>
          ) : (
            <span className={styles.state}>{hasEnded(header, now) ? '已截止' : '进行中'}</span>
          )}
        </h1>
        <dl className={styles.terms}>
          <Term name="截止时间">{formatTime(header.ending_time, timezone)}</Term>
          <Term name="发布时间">{formatTime(header.publish_time, timezone)}</Term>
          <Term name="班级">{place.classId === 0 ? `${header.class.length} 个班级` : header.class_name}</Term>
          <Term name="发布人">
            {header.creator}（{identityNames[header.creator_type === 1 ? 'teacher' : 'assist']}）
          </Term>
        </dl>
        <p className={styles.summary}>{typeSummary(header)}</p>
        {arrangeData && <Lesson lesson={arrangeData} timezone={timezone} />}
        <details className={styles.more}>
          <summary>更多信息</summary>
          <dl className={styles.terms}>
            <Term name="作业类型">{homeworkTypeNames[header.type]}</Term>
            <Term name="课程">{header.course}</Term>
            <Term name="课时">{header.period || '-'}</Term>
            {place.classId === 0 && (
              <Term name="各班作业">
                <Classes header={header} place={place} />
              </Term>
            )}
            <Term name="备注">{header.remark || '-'}</Term>
          </dl>
        </details>
        <Actions detail={detail} />
      </div>
      <div className={styles.progress}>
        <div className={styles.rings}>
          <Ring label="提交率" percent={header.submit_rate} detail={`${submit}/${total}`} />
          <Ring label="批改率" percent={header.revise_rate} detail={`${revise}/${submit}`} tone="good" />
        </div>
        <ul className={styles.counts}>
          <Count name="应交" number={total} href={detailHref(place, 0)} />
          <Count name="已交" number={submit} />
          <Count name="未批改" number={submit - revise} href={detailHref(place, 0, { status: 2 })} />
          <Count name="已批改" number={revise} href={detailHref(place, 0, { status: 3 })} />
        </ul>
        {total - submit > 0 && (
          <p className={styles.missing}>
            <a href={detailHref(place, 0, { status: 1 })}>{total - submit} 人未提交</a>
          </p>
        )}
      </div>
    </header>
  );
}

function Term({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Count({ name, number, href }: { name: string; number: number; href?: string }) {
  const content = (
    <>
      <strong>{number}</strong>
      <span>{name}</span>
    </>
  );
  return <li>{href && number > 0 ? <a href={href}>{content}</a> : <span>{content}</span>}</li>;
}

/** Each class leads to the same homework in that class. */
function Classes({ header, place }: { header: HomeworkHeader; place: Place }) {
  return (
    <span className={styles.classes}>
      {header.class.map(({ id, name }) => (
        <a key={id} href={detailHref({ ...place, classId: id, arranged: false }, 0)}>
          {name}
        </a>
      ))}
    </span>
  );
}

/** The questions by type, with scores where they are set. */
function typeSummary({ scores, is_set_score, question_num, score }: HomeworkHeader): string {
  const scored = is_set_score === 2;
  const types = ([1, 2, 3, 4, 5, 7, 6] as const).flatMap((type) => {
    const summary = scores[type];
    if (!summary || summary.count === 0) return [];
    const parts = type === 6 ? `（${summary.item_count} 小题）` : '';
    return `${questionTypeNames[type]} ${summary.count} 题${parts}${scored ? `共 ${points(summary.score)} 分` : ''}`;
  });
  const whole = scored ? `总分 ${points(score)} 分` : '按正确率计分';
  return [...types, `合计 ${question_num} 题，${whole}`].join('；');
}

function Lesson({ lesson, timezone }: { lesson: ArrangeData; timezone: string }) {
  const shown = useShownFields();
  return (
    <dl className={`${styles.terms} ${styles.lesson}`} aria-label="课次信息">
      <Term name="班级名称">{lesson.name}</Term>
      {shown.classify && <Term name="分类">{lesson.classify_name || '-'}</Term>}
      {shown.grade && <Term name="年级">{lesson.grade_name || '-'}</Term>}
      <Term name="科目">{lesson.subject_name || '-'}</Term>
      <Term name="上课日期">{formatTime(lesson.arrange_time, timezone).slice(0, 10)}</Term>
      <Term name="上课时间">{lesson.time_name}</Term>
    </dl>
  );
}

function Actions({ detail: { place, buttons, may, now, identity, search } }: { detail: Detail }) {
  const asker = { dispatch: may.dispatch, classId: place.classId, arranged: place.arranged };
  return (
    <div className={`${styles.actions} no-print`}>
      {buttons && offersContinue(buttons, asker) && (
        <DialogLink
          label="继续发布"
          href={`${place.base}/${place.hwId}/continue${search}`}
          fault={continueFault(buttons, now)}
        />
      )}
      {buttons && offersDispatch(asker) && (
        <DialogLink
          label="调整截止时间"
          href={`${place.base}/${place.hwId}/deadline${search}`}
          fault={deadlineFault(buttons, now)}
        />
      )}
      <a className={buttonClass('plain')} href={`/homework/preview?hw_id=${place.hwId}`}>
        预览作业
      </a>
      <a className={buttonClass('plain')} href={placeHref('/homework/statistics', place)}>
        作业统计
      </a>
      <a className={buttonClass('plain')} href={placeHref('/homework/answers', place)}>
        答题详情
      </a>
      {identity === 'teacher' && (
        <form method="post" action={place.base + search}>
          <button type="submit" name="make" value="paper" className={buttonClass('plain')}>
            下载作业
          </button>
        </form>
      )}
    </div>
  );
}

/** Disabled with the reason where the rules forbid it. */
function DialogLink({ label, href, fault }: { label: string; href: string; fault: string | undefined }) {
  if (!fault) {
    return (
      <a className={buttonClass('primary')} href={href}>
        {label}
      </a>
    );
  }
  return (
    <button type="button" className={buttonClass('plain')} disabled title={fault}>
      {label}
    </button>
  );
}
