/**
 * Evenings at /table, one of each game that is named, in real browsers: a game master and two players play what they are offered.
 *
 * node table_evenings.mjs FEDERATION ADDRESS BROWSER TABLES; TABLES is JSON: of each game the campaign, the scene, the map or '',
 * how many moves are chosen, whether bots then play to the end, and a name, a key and headers for each person, the game master first.
 * Prints as JSON, by game: moves made, choices that are marked, whether the scene is over, and all that each person was sent.
 */
import { createRequire } from 'node:module';

const [federation, address, executablePath, tables] = process.argv.slice(2);
const { chromium } = createRequire(`${federation}/package.json`)('playwright-core');
const STEP_MS = 30_000;
const MOST_MOVES = 400;
/** After how many moves the game master's own bot is asked, who ends what is decided. */
const LEAD_EVERY = 40;
/** How often in a row nobody may be found who can move: a page may show what was before. */
const PATIENCE = 20;

async function sitDown(browser, { name, key, headers }, heard, errors) {
  const context = await browser.newContext({ extraHTTPHeaders: headers });
  const page = await context.newPage();
  page.setDefaultTimeout(STEP_MS);
  page.on('pageerror', (error) => errors.push(`${name}: ${error.message}`));
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => heard.push(String(payload))));
  page.on('response', async (response) => {
    if (/json|svg/.test(response.headers()['content-type'] ?? '')) heard.push(await response.text().catch(() => ''));
  });
  await page.goto(`${address}/table`);
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading').first().waitFor();
  return page;
}

/** Choose as many of what an open form asks for as it needs, and write words where words are wanted. */
async function fillIn(form, number) {
  for (const group of await form.locator('fieldset').all()) {
    const least = Number((await group.locator('legend').textContent()).match(/(\d+)(?: to (?:\d+|any))?\s*$/)?.[1] ?? 0);
    const ticks = await group.getByRole('checkbox').all();
    for (const tick of ticks.slice(0, least)) await tick.check();
    const list = group.locator('select');
    for (let at = 0; ticks.length === 0 && least > 0 && at < least && (await list.count()); at += 1) {
      await list.selectOption({ index: at + 1 });
    }
  }
  for (const input of await form.locator('input[required]').all()) {
    if ((await input.inputValue()) === '') await input.fill(`words ${number}`);
  }
}

/** Make one move of what a page offers, beginning with the offer of a number; false where it takes none. */
async function move(page, number) {
  const offers = page.locator('.offers button.offer');
  for (let tried = 0; tried < 6; tried += 1) {
    const count = await offers.count();
    if (tried >= count) return false;
    const offer = offers.nth((number * 7 + tried) % count);
    if (!(await clicked(offer))) continue;
    const form = page.locator('form.open');
    await fillIn(form, number);
    const done = answered(page, 'performMove');
    if ((await clicked(form.locator('button.main'))) && /"MovePerformed"|"move":\{/.test(await done)) return true;
    await clicked(offer);
  }
  return false;
}

/** Click an offer, unless there are others by now: what was done before reaches a page by its own feed. */
const clicked = (offer) => offer.click({ timeout: 3_000 }).then(() => true, () => false);

/** What the page is answered to its next request for a field; empty where it asks for it no more. */
const answered = (page, field) =>
  page
    .waitForResponse((one) => one.request().postData()?.includes(field) ?? false, { timeout: 10_000 })
    .then((one) => one.text())
    .catch(() => '');

async function letBotMove(page) {
  const done = answered(page, 'playBot');
  await page.getByRole('button', { name: 'Let the steady bot move' }).click();
  return /MovePerformed/.test(await done);
}

/** Have a bot move for the game master; then the page is as it was, for whoever is waited for. */
async function lead(page) {
  const acts = page.getByLabel('Who acts');
  if (!(await acts.count())) return;
  await acts.selectOption('gm');
  await letBotMove(page);
  await page.reload();
  await page.locator('.actors > li').first().waitFor();
}

/** The page of whoever is waited for: a player's, where it has offers; else the game master's. */
async function whose(pages) {
  const [master, ...players] = pages;
  for (const page of players) {
    const waited = await page.locator('.actors > li', { hasText: 'may move' }).locator('b').allTextContents();
    const mine = await page.locator('section[aria-label="Moves"] h2').count();
    if (mine && waited.length && (await page.locator('.offers button.offer').count())) return page;
  }
  return master;
}

async function play(browser, table) {
  const errors = [];
  const heard = table.people.map(() => []);
  const pages = [];
  for (const [at, person] of table.people.entries()) pages.push(await sitDown(browser, person, heard[at], errors));
  const to = (place) => Promise.all(pages.map((page) => page.goto(`${address}/table#/table/${table.campaign}/${place}`)));
  if (table.map) {
    await to(`maps/${table.map}`);
    await Promise.all(pages.map((page) => page.getByRole('application').waitFor()));
  }
  await to(`scene/${table.scene}`);
  await Promise.all(pages.map((page) => page.locator('.actors > li').first().waitFor()));
  const over = async () => /^Over\./.test(await pages[0].locator('article > p').first().textContent());
  let marked = 0;
  let stuck = 0;
  let moves = 0;
  for (; moves < MOST_MOVES && !(await over()); moves += 1) {
    if (moves >= table.moves && !table.whole) break;
    await Promise.all(pages.map((page) => page.waitForLoadState('networkidle', { timeout: 1_000 }).catch(() => {})));
    const page = await whose(pages);
    const before = await pages[0].locator('.moves > li').count();
    if (moves % LEAD_EVERY === LEAD_EVERY - 1) await lead(pages[0]);
    const made = (moves < table.moves && (await move(page, moves))) || (await letBotMove(page)) || (await letBotMove(pages[0]));
    stuck = made ? 0 : stuck + 1;
    if (stuck === PATIENCE) throw new Error(`${table.system}: nobody could move`);
    marked += await page.locator('form.open').getByText(/\((foe|neutral|friend)\)/).count();
    if (made) await pages[0].locator('.moves > li').nth(before).waitFor({ timeout: 3_000 }).catch(() => {});
  }
  const found = { moves, marked, over: await over(), errors, heard };
  await Promise.all(pages.map((page) => page.context().close()));
  return found;
}

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const seen = {};
try {
  for (const table of JSON.parse(tables)) seen[table.system] = await play(browser, table);
  process.stdout.write(JSON.stringify(seen));
} catch (error) {
  // What stood on the pages tells more than the step that waited.
  for (const page of browser.contexts().flatMap((context) => context.pages())) {
    process.stderr.write(`${await page.locator('body').innerText()}\n---\n`);
  }
  throw error;
} finally {
  await browser.close();
}
