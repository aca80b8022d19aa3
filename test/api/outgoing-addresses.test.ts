/** SSRF: addresses typed by administrators never reach the internal network. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { deliveryToWebhooks } from '#server/learners/webhook-delivery.ts';
import { bigBlueButton } from '#server/live/big-blue-button.ts';
import { internalAddressMessage } from '#server/platform/outgoing/fetch.ts';
import { webhookDelivery } from '#server/platform/sms/delivery.ts';
import { createSender } from '#server/platform/sms/sender.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { errorsOf } from '../support/school.ts';

onBothEngines('address typed by an administrator', (school) => {
  let asked = 0;
  const receiver = createServer((_request, response) => {
    asked += 1;
    response.end('{"errcode":0,"access_token":"inner secret"}');
  });
  let inside = '';
  let token = 0;
  const admin = () => school().as('admin');

  beforeAll(async () => {
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    inside = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    token = (await admin().post('tokens', { name: '学习端', every_school: 1 })).body.data.id;
  });
  afterAll(() => new Promise((closed) => receiver.close(closed)));
  beforeEach(() => {
    vi.stubEnv('OUTGOING_HOSTS', '');
    asked = 0;
    return () => vi.unstubAllEnvs();
  });

  /** Saves and tries each address field. */
  const sending: [string, string, (address: string) => ReturnType<ReturnType<typeof admin>['post']>][] = [
    ['a webhook', 'url', (url) => admin().put(`tokens/${token}/webhook`, { url, events: ['report.graded'] })],
    ['text messages', 'sms_webhook_url', (url) => admin().put('settings/messages', { sms_webhook_url: url, seen: '' })],
    [
      'a trial of text messages',
      'sms_webhook_url',
      (url) => admin().post('settings/messages/try', { sms_webhook_url: url, mobile: '13900000001' }),
    ],
    ...(['put', 'post'] as const).map((method): (typeof sending)[number] => [
      method === 'put' ? 'BigBlueButton' : 'a trial of BigBlueButton',
      'bbb_url',
      (bbb_url) =>
        admin()[method](method === 'put' ? 'settings/live' : 'settings/live/try', {
          live_url: '',
          live_playback_url: '',
          bbb_url,
          bbb_secret: 'secret',
          seen: '',
        }),
    ]),
    ...['oidc', 'cas', 'wecom', 'dingtalk', 'feishu'].flatMap((kind) =>
      (['put', 'post'] as const).map((method): (typeof sending)[number] => [
        `${method === 'put' ? '' : 'a trial of '}${kind}`,
        'address',
        (address) =>
          admin()[method](`identity/providers/${kind}${method === 'put' ? '' : '/try'}`, {
            name: '登录',
            client_id: 'one',
            secret: 'two',
            organization: '3',
            address,
            seen: '',
          }),
      ]),
    ),
  ];

  it.each(sending)('is refused in %s if internal', async (_what, field, send) => {
    const port = new URL(inside).port;
    for (const host of ['127.0.0.1', 'localhost', '0x7f000001', '[::ffff:127.0.0.1]']) {
      const [status, errors] = errorsOf(await send(`http://${host}:${port}/`));
      expect([host, status, Object.keys(errors)]).toEqual([host, 422, [field]]);
    }
    for (const host of ['169.254.169.254', '10.0.0.1', '[fd00::1]']) {
      expect(errorsOf(await send(`https://${host}/`))).toEqual([422, { [field]: [internalAddressMessage] }]);
    }
    expect(asked).toBe(0);
  });

  it.each(sending)('is refused in %s with a fragment or credentials', async (_what, field, send) => {
    for (const address of ['https://a.example/x#y', 'https://user:pw@a.example/', 'https://user@a.example/x']) {
      const [status, errors] = errorsOf(await send(address));
      expect([address, status, Object.keys(errors)]).toEqual([address, 422, [field]]);
    }
  });

  it('stored before the check is not called', async () => {
    const { db } = school().database;
    const kept = { url: inside, secret: 's', events: '["report.graded"]', created_at: 1, ended_at: null };
    await db
      .insertInto('webhook')
      .values({ token_id: token, ...kept })
      .execute();
    const message = { message_id: 'm1', mobile: '', content: '{}', webhook_id: token, lane: 'x' };
    const { now, log } = school().services;
    await db
      .insertInto('sms_outbox')
      .values({ ...message, created_at: now(), next_try_at: now(), tries: 0, last_error: '', delivered_at: null })
      .execute();
    const deliver = deliveryToWebhooks(db, now, async () => {});
    await createSender({ database: school().database, log, now, deliver }).round();
    expect((await admin().get(`tokens/${token}/webhook`)).body.data.error).toBe(internalAddressMessage);
    const text = { id: '1', mobile: '1', content: 'x' };
    await expect(webhookDelivery(inside)(text)).rejects.toThrow(internalAddressMessage);
    const room = { type: 'meeting', id: 1, groupId: 0, title: 'x', installation: 'i' } as const;
    const person = { id: 1, name: 'x', identity: 'teacher' } as const;
    const entered = await bigBlueButton({ url: inside, secret: 's' }).enter({ ...room, person });
    expect(entered).toMatchObject({ kind: 'away' });
    expect(asked).toBe(0);
  });

  it('may open a campus room, which browsers call', async () => {
    const body = { live_url: 'https://10.0.0.8/#/room/{id}', live_playback_url: '', bbb_url: '', bbb_secret: '' };
    const { seen } = (await admin().get('settings')).body.data.live;
    expect((await admin().put('settings/live', { ...body, seen })).status).toBe(200);
    const tried = (await admin().post('settings/live/try', body)).body.data;
    expect(tried).toMatchObject({ ok: false, status: null, said: internalAddressMessage });
    const named = await admin().put('settings/live', { ...body, live_url: 'https://user:pw@a.example/{id}', seen });
    expect(errorsOf(named)[0]).toBe(422);
  });
});
