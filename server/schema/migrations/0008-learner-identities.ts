import type { Database } from '#server/platform/db/engine.ts';
import { runScript } from '#server/platform/db/script.ts';

/** Sign-in of learners by the school's identity providers. Staff have tables of their own. */
export const up = (db: Database): Promise<void> =>
  runScript(
    db,
    `
    alter table identity_provider add column for_learners integer not null default 0 check (for_learners in (0, 1)); -- is_on: for staff
    alter table identity_provider add column learner_claim text not null default ''; -- field of the student number; empty: claim

    -- Links accounts of identity providers to learners, as identity_link does to staff.
    create table learner_link (
      id $id_once,
      provider text not null,
      realm text not null,
      subject text not null,
      number text not null,
      name text not null,
      student_id bigint references student (id),
      state text not null check (state in ('waiting', 'linked', 'rejected')),
      is_undecided integer not null default 1 check (is_undecided in (0, 1)), -- 1: the number may still link it
      created_at bigint not null,
      used_at bigint not null,
      unique (provider, realm, subject)
    );
    create index learner_link_student on learner_link (student_id, provider, realm);
    create index learner_link_state on learner_link (state, id);

    -- Pending sign-ins of learners at a provider; each may return once.
    create table learner_link_attempt (
      state_hash text primary key,
      provider text not null,
      browser_hash text not null,
      token_id bigint not null references service_token (id) on delete cascade,
      nonce text not null,
      verifier text not null,
      return_to text not null,
      created_at bigint not null
    );
    create index learner_link_attempt_created on learner_link_attempt (created_at);

    -- Session id at the provider, for single sign-out in both directions.
    create table learner_link_session (
      session_id bigint primary key references learner_session (id) on delete cascade,
      provider text not null,
      realm text not null,
      subject text not null,
      session_key text not null, -- as in identity_session
      id_token text not null
    );
    create index learner_link_session_subject on learner_link_session (provider, realm, subject);
    create index learner_link_session_key on learner_link_session (provider, realm, session_key);
    `,
  );
