import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { checksum } from '#server/live/big-blue-button.ts';
import { fillTemplate, liveProvider } from '#server/live/provider.ts';
import type { LiveVisit } from '#server/live/visit.ts';
import { isRefusal } from '#server/platform/calls/outcome.ts';

const visit: LiveVisit = {
  type: 'period',
  id: 12,
  groupId: 3,
  title: '第一讲 集合&映射',
  person: { id: 7, name: '周 明远', identity: 'teacher' },
  installation: 'school1',
};

describe('room URL template', () => {
  it("is filled with the room's values", async () => {
    const provider = liveProvider({
      LIVE_URL: 'https://live.example/room/{type}/{id}?g={group_id}&n={name}&u={user_id}&as={identity}&t={title}',
    });
    const url = new URL((await provider?.enter(visit)) as string);
    expect(url.host + url.pathname).toBe('live.example/room/period/12');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      g: '3',
      n: '周 明远',
      u: '7',
      as: 'teacher',
      t: '第一讲 集合&映射',
    });
    expect(await provider?.playback(visit)).toBeUndefined();
    const both = liveProvider({ LIVE_URL: 'https://a.example/', LIVE_PLAYBACK_URL: 'https://b.example/{id}' });
    expect(await both?.playback(visit)).toBe('https://b.example/12');
  });

  it.each([
    ['https://{title}/room', 'x'],
    ['https://live.example{name}', '.evil.example'],
    ['https://{name}@live.example/', 'user'],
    ['javascript:alert({id})', '1'],
    ['//live.example/{id}', '1'],
    ['live.example/{id}', '1'],
  ])('never leaves its host: %s', (template, name) => {
    expect(fillTemplate(template, { ...visit, title: name, person: { ...visit.person, name } })).toBeUndefined();
  });

  it('escapes a name that looks like an address', () => {
    const person = { ...visit.person, name: '//evil.example/@?#&id=9' };
    const url = new URL(fillTemplate('https://live.example/{name}?id={id}', { ...visit, person }) as string);
    expect([url.host, url.searchParams.getAll('id')]).toEqual(['live.example', ['12']]);
  });

  it.each(['.', '..', '%2e%2e'])('escapes a path segment named %s', (name) => {
    const person = { ...visit.person, name };
    const { pathname } = new URL(
      fillTemplate('https://live.example/rooms/{name}/{id}', { ...visit, person }) as string,
    );
    expect(pathname.split('/')).toHaveLength(4);
  });

  it('is undefined when empty', () => {
    expect(liveProvider({})).toBeUndefined();
    expect(liveProvider({ BBB_URL: 'https://bbb.example' })).toBeUndefined();
  });
});

/** Answers of a BigBlueButton 2.7 server. */
const created = `<response>
  <returncode>SUCCESS</returncode>
  <meetingID>school1-period-12-3</meetingID>
  <internalMeetingID>6afb-1</internalMeetingID>
  <parentMeetingID>bbb-none</parentMeetingID>
  <hasBeenForciblyEnded>false</hasBeenForciblyEnded>
  <messageKey>duplicateWarning</messageKey>
  <message>This conference was already in existence and may currently be in progress.</message>
</response>`;
const refused = `<response>
  <returncode>FAILED</returncode>
  <messageKey>checksumError</messageKey>
  <message>Checksums do not match</message>
</response>`;
const recordings = (url: string) => `<response>
  <returncode>SUCCESS</returncode>
  <recordings><recording>
    <recordID>r1</recordID><meetingID>school1-period-12-3</meetingID><published>true</published>
    <playback><format><type>presentation</type>
      <url>
        ${url}
      </url><processingTime>7177</processingTime></format></playback>
  </recording></recordings>
</response>`;

describe('BigBlueButton client', () => {
  const asked: URL[] = [];
  let answer: (url: URL) => Response | Promise<Response> = () => HttpResponse.xml(created);
  const server = setupServer(
    http.get('https://bbb.example/bigbluebutton/api/:call', ({ request }) => {
      asked.push(new URL(request.url));
      return answer(new URL(request.url));
    }),
  );
  beforeAll(() => server.listen());
  afterEach(() => {
    asked.length = 0;
    answer = () => HttpResponse.xml(created);
  });
  afterAll(() => server.close());

  const provider = liveProvider({ BBB_URL: 'https://bbb.example/bigbluebutton/', BBB_SECRET: '639259d4-9dd8' });
  const isSigned = (url: URL) => {
    const call = url.pathname.split('/').at(-1) as string;
    const query = url.search.slice(1).replace(/&checksum=[^&]*$/, '');
    return url.searchParams.get('checksum') === checksum(call, query, '639259d4-9dd8');
  };

  it('signs the documented example', () => {
    // The example of "API security model" at docs.bigbluebutton.org, whose SHA-1 there is 1fcbb0c4…; by SHA-256.
    const query = 'name=Test+Meeting&meetingID=abc123&attendeePW=111222&moderatorPW=333444';
    expect(checksum('create', query, '639259d4-9dd8-4b25-bf01-95f9567eaf4b')).toBe(
      'da9185f7f333cfdfcd6eeac32dca3777510c4c436020d8b887ba5515bd1d189e',
    );
    expect(checksum('create', query, 'a')).not.toBe(checksum('create', query, 'b'));
    expect(checksum('create', query, 'a')).not.toBe(checksum('join', query, 'a'));
  });

  it('creates the room and returns a signed URL', async () => {
    const url = new URL((await provider?.enter(visit)) as string);
    expect(asked).toHaveLength(1);
    const [create] = asked as [URL];
    expect(create.pathname).toBe('/bigbluebutton/api/create');
    expect(create.searchParams.get('meetingID')).toBe('school1-period-12-3');
    expect(create.searchParams.get('name')).toBe('第一讲 集合&映射');
    expect(isSigned(create)).toBe(true);
    expect([url.origin, url.pathname]).toEqual(['https://bbb.example', '/bigbluebutton/api/join']);
    expect(isSigned(url)).toBe(true);
    expect(url.searchParams.get('fullName')).toBe('周 明远');
    expect(url.searchParams.get('role')).toBe('MODERATOR');
    expect(url.searchParams.get('meetingID')).toBe('school1-period-12-3');
    expect(url.href).not.toContain('639259d4');
  });

  it.each([
    ['refuses', () => HttpResponse.xml(refused)],
    ['fails', () => new HttpResponse('', { status: 502 })],
    ['answers something else', () => HttpResponse.html('<html>login</html>')],
    ['sends elsewhere', () => HttpResponse.redirect('https://evil.example/', 302)],
    ['is gone', () => HttpResponse.error()],
  ])('reports a server that %s', async (_, broken) => {
    answer = broken as () => Response;
    const outcome = await provider?.enter(visit);
    expect(isRefusal(outcome) && [outcome.kind, outcome.msg]).toEqual(['away', '直播服务暂时不可用，请稍后再试']);
  });

  it('shows recordings on its own server alone', async () => {
    answer = () => HttpResponse.xml(recordings('https://bbb.example/playback/presentation/2.3/r1?a=1&amp;b=2'));
    expect(await provider?.playback(visit)).toBe('https://bbb.example/playback/presentation/2.3/r1?a=1&b=2');
    for (const elsewhere of ['https://evil.example/r1', 'javascript:alert(1)', 'http://bbb.example/r1']) {
      answer = () => HttpResponse.xml(recordings(elsewhere));
      expect(isRefusal(await provider?.playback(visit)), elsewhere).toBe(true);
    }
    answer = () => HttpResponse.xml('<response><returncode>SUCCESS</returncode><recordings/></response>');
    expect(isRefusal(await provider?.playback(visit))).toBe(true);
  });
});
