import { Form, Submit } from '../ui/form.tsx';
import type { OwnLink } from './api-answers.ts';
import styles from './learn.learn.module.css';
import { LearnerTime } from './moment.tsx';

/** The learner's accounts at the school's identity providers, and how to remove a link. */
export function OwnLinksList({ links }: { links: readonly OwnLink[] }) {
  if (links.length === 0) return null;
  return (
    <section className={styles.part} aria-labelledby="links-title">
      <h2 id="links-title">统一登录</h2>
      <ul className={styles.rows}>
        {links.map(({ provider, provider_name, number, name, used_at, fault }) => (
          <li key={provider}>
            <strong>{provider_name}</strong>
            <p data-written>
              已关联 {[number, name].filter(Boolean).join('，')} · 最近使用 <LearnerTime at={used_at} />
            </p>
            {fault ? (
              <p>{fault}</p>
            ) : (
              <Form>
                <Submit intent={`unlink ${provider}`} variant="default" aria-label={`解除与${provider_name}的关联`}>
                  解除关联
                </Submit>
              </Form>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
