/**
 * An evening at /table in a real browser: a game master at a desk and a player with a phone, whose line breaks.
 *
 * node table_page.mjs FEDERATION ADDRESS BROWSER NETWORKS [PICTURES]; NETWORKS is JSON, a header for each of the two.
 * Prints as JSON what was seen; a step that does not come to its end is an error. PICTURES: a folder for them.
 */
import { readFileSync } from 'node:fs';
import { createServer, connect } from 'node:net';
import { createRequire } from 'node:module';

const [federation, address, executablePath, networks, pictures] = process.argv.slice(2);
const require = createRequire(`${federation}/package.json`);
const { chromium } = require('playwright-core');
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const SETUP = { game: 'DungeonTeller', setup: 'Howls around the bonfire' };
/** Chromium itself waits up to 5 s before it opens a socket to where one has just failed. */
const STEP_MS = 20_000;

const seen = { violations: {}, hosts: [], errors: [], wider: [] };

/** A line to the product that can be cut: what runs over it ends, and nothing new gets through until it is mended. */
async function openLine() {
  const { hostname, port } = new URL(address);
  const sockets = new Set();
  let whole = true;
  const server = createServer((near) => {
    if (!whole) return near.destroy();
    const far = connect(Number(port), hostname);
    for (const [one, other] of [[near, far], [far, near]]) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => {}).on('close', () => { other.destroy(); sockets.delete(one); });
    }
    return undefined;
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    address: `http://127.0.0.1:${server.address().port}`,
    cut() {
      whole = false;
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      whole = true;
    },
    close: () => server.close(),
  };
}

async function sitDown(browser, name, origin, options, header) {
  const context = await browser.newContext({ ...options, extraHTTPHeaders: header });
  const page = await context.newPage();
  page.setDefaultTimeout(STEP_MS);
  page.on('pageerror', (error) => seen.errors.push(`${name}: ${error.message}`));
  page.on('request', (request) => seen.hosts.push(new URL(request.url()).host || new URL(request.url()).protocol));
  page.on('websocket', (socket) => seen.hosts.push(new URL(socket.url()).host));
  const cdp = await context.newCDPSession(page);
  return {
    page,
    open: (path) => page.goto(`${origin}/table${path}`),
    view: (title) => page.getByRole('navigation').getByRole('link', { name: title }).click(),
    press: (title) => page.getByRole('button', { name: title, exact: true }).click(),
    see: (text) => page.getByText(text).first().waitFor(),
    /** Have axe look at what is shown; the page's policy lets no script in, so the debugger brings it. */
    async check(view) {
      await cdp.send('Runtime.evaluate', { expression: AXE });
      const found = await page.evaluate(async () => (await globalThis.axe.run()).violations.map((one) => `${one.id}: ${one.nodes[0].html}`));
      seen.violations[`${name} ${view}`] = found;
      if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) seen.wider.push(`${name} ${view}`);
      if (pictures) await page.screenshot({ path: `${pictures}/${name}-${view}.png`, fullPage: true });
    },
  };
}

async function signUp(person, name) {
  await person.page.getByLabel('Your name').fill(name);
  await person.check('sign-in');
  await person.press('Open an account');
  await person.check('key');
  await person.press('I have it');
}

async function gather(master, player) {
  await master.open('');
  await signUp(master, 'Mara');
  await master.page.getByLabel('Name of the campaign').fill('The Hollow Crown');
  await master.check('tables');
  await master.press('Found');
  await master.view('People');
  await master.press('Invite');
  const code = await master.page.getByRole('main').locator('code').first().textContent();
  await player.open(`#/join/${code}`);
  await signUp(player, 'Finn');
  await player.press('Join');
  await player.see('No scene is under way.');
  await master.see('A player joins the table.');
  await master.check('people');
}

async function bring(master, player) {
  await player.view('Characters');
  await player.page.getByRole('combobox', { name: 'Game' }).selectOption({ label: SETUP.game });
  await player.page.getByLabel('Name').fill('Brunna');
  await player.press('Draw one and sit down');
  await player.page.getByRole('heading', { name: 'Brunna' }).waitFor();
  await player.page.getByRole('button', { name: /^Odds of/ }).first().click();
  await player.see(/On average/);
  await player.page.getByRole('button', { name: /^Roll / }).first().click();
  await player.page.locator('output').filter({ hasText: /\d/ }).first().waitFor();
  await player.check('sheet');
  await master.see('Brunna joins the party.');
  await master.view('Dice');
  await master.page.getByLabel('Dice', { exact: true }).fill('2d6');
  await master.page.getByRole('checkbox', { name: /Secret/ }).check();
  await master.press('Odds');
  await master.see(/On average 7/);
  await master.press('Roll');
  await master.see('(secret)');
  await master.page.getByRole('button', { name: 'Receipt' }).first().click();
  await master.see(/Every step of the verification holds/);
  await master.check('dice');
  await player.view('Dice');
  await player.page.getByRole('button', { name: 'Receipt' }).first().waitFor();
  seen.rollsOfThePlayer = await player.page.locator('.rolls > li').count();
  await player.check('dice');
}

async function play(master, player) {
  await player.view('Scene');
  await master.view('Scene');
  await master.page.getByText('Start a scene').click();
  await master.page.getByRole('combobox', { name: 'Game' }).selectOption({ label: SETUP.game });
  await master.page.getByRole('combobox', { name: 'Setup' }).selectOption({ label: SETUP.setup });
  await master.check('start');
  await master.press('Start');
  await player.page.getByRole('button', { name: /^Go/ }).click();
  await player.page.locator('rect.open').nth(3).click();
  await player.check('offer');
  await player.page.locator('form.open').getByRole('button', { name: 'Go', exact: true }).click();
  await master.page.locator('.moves').getByText(/^Brunna goes/).waitFor();
  await master.check('scene');
  await master.press('Take the last move back');
  await player.page.locator('.moves > li').nth(1).waitFor();
  seen.movesOfThePlayer = await player.page.locator('.moves > li > p:first-child').allTextContents();
}

async function explore(master, player) {
  await master.view('Maps');
  await master.page.getByText('Draw a map').click();
  await master.page.getByRole('combobox', { name: 'Kind' }).selectOption({ label: 'Battle' });
  await master.page.getByLabel('Seed').fill('7');
  await master.check('new-map');
  await master.press('Draw');
  await master.page.getByRole('application').waitFor();
  await master.page.getByRole('combobox', { name: 'Players see' }).selectOption({ label: 'What they explored' });
  await master.page.getByRole('radio', { name: 'Put a token' }).check();
  await master.page.getByRole('combobox', { name: 'Stands for' }).selectOption({ label: 'Brunna' });
  const put = master.page.getByRole('button', { name: /^Put it at/ });
  const [column, row] = (await put.textContent()).match(/\d+/g).map(Number);
  await put.click();
  await master.see(`column ${column}, row ${row}`);
  await master.check('map');
  const map = master.page.getByRole('application');
  const window = async () => (await map.getAttribute('viewBox')).split(' ').map(Number);
  const whole = await window();
  await map.hover();
  await master.page.mouse.wheel(0, -300);
  await map.and(master.page.locator(`:not([viewBox="${whole.join(' ')}"])`)).waitFor();
  const near = await window();
  await master.page.mouse.down();
  await master.page.mouse.move(500, 500, { steps: 3 });
  await master.page.mouse.up();
  seen.map = { whole, near, moved: await window() };
  await master.press('Whole');
  await player.view('Maps');
  await player.page.getByRole('main').getByRole('listitem').getByRole('link').first().click();
  const phone = player.page.getByRole('application');
  await phone.focus();
  for (const key of ['Enter', 'ArrowRight', 'ArrowRight', 'Enter']) await phone.press(key);
  await master.see(`column ${column + 2}, row ${row}`);
  await player.see(`column ${column + 2}, row ${row}`);
  await player.check('map');
}

async function breakTheLine(master, player, line) {
  await player.view('Log');
  await player.page.getByText('Before the storm').waitFor({ state: 'detached' });
  line.cut();
  await player.see(/The line is broken/);
  for (const note of ['Before the storm', 'After the storm']) {
    await master.page.getByLabel('A note for all').fill(note);
    await master.press('Write');
    await master.page.getByRole('log').getByText(note).waitFor();
  }
  await player.page.getByLabel('A note for all').fill('Said into the dark');
  await player.press('Write');
  await player.check('broken');
  line.mend();
  await player.page.getByRole('log').getByText('Said into the dark').waitFor();
  await player.page.getByRole('log').getByText('After the storm').waitFor();
  await master.page.getByRole('log').getByText('Said into the dark').waitFor();
  seen.line = await player.page.locator('.line').textContent();
  const told = (person) => person.page.getByRole('log').locator('li').allTextContents();
  seen.logs = [await told(master), await told(player)];
  await player.check('log');
}

const line = await openLine();
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  const [hers, his] = JSON.parse(networks);
  const master = await sitDown(browser, 'master', address, { viewport: { width: 1280, height: 900 }, colorScheme: 'light' }, hers);
  const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark', hasTouch: true };
  const player = await sitDown(browser, 'player', line.address, phone, his);
  await gather(master, player);
  await bring(master, player);
  await play(master, player);
  await explore(master, player);
  await breakTheLine(master, player, line);
  seen.hosts = [...new Set(seen.hosts)];
  seen.own = [address, line.address].map((one) => new URL(one).host);
  process.stdout.write(JSON.stringify(seen));
} catch (error) {
  // What stood on the pages tells more than the step that waited.
  for (const page of browser.contexts().flatMap((context) => context.pages())) {
    process.stderr.write(`${await page.locator('body').innerText()}\n---\n`);
  }
  throw error;
} finally {
  await browser.close();
  line.close();
}
