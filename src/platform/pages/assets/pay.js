// Adds copy buttons, a countdown, live updates and automatic steps to the pages. Reports to a shop that shows a page in
// a frame. Form fields are in fields.js. The pages also work without script.

const root = document.documentElement
const [navigation] = performance.getEntriesByType('navigation')
// A payer who used the back button wants to stay on this page.
const isBack = navigation?.type === 'back_forward'

root.classList.add('js')

// Copying

async function copy(button) {
  await navigator.clipboard.writeText(button.dataset.copy).catch(() => copyBySelection(button.dataset.copy))
  const [text, label] = [button.textContent, button.getAttribute('aria-label')]
  if (button.classList.contains('copied')) return
  button.textContent = button.dataset.done
  button.removeAttribute('aria-label')
  button.classList.add('copied')
  setTimeout(() => {
    button.textContent = text
    if (label) button.setAttribute('aria-label', label)
    button.classList.remove('copied')
  }, 2000)
}

/** Copies on pages over plain http, as in tests, where browsers do not allow clipboard access. */
function copyBySelection(text) {
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}

for (const button of document.querySelectorAll('[data-copy]'))
  button.addEventListener('click', () => copy(button))

for (const button of document.querySelectorAll('[data-print]'))
  button.addEventListener('click', () => print())

// Time

const HOURS_TO_COUNT = 3

function showDeadline(element) {
  const { until, left, over } = element.dataset
  const seconds = Math.floor((new Date(until) - Date.now()) / 1000)
  if (seconds <= 0) {
    element.textContent = over
    return
  }
  if (seconds <= HOURS_TO_COUNT * 3600) element.textContent = left.replace('{}', clock(seconds))
  setTimeout(showDeadline, 1000, element)
}

function clock(seconds) {
  const two = (number) => String(number).padStart(2, '0')
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`
}

/** The time in the payer's time zone, with the zone's name. The server wrote the time in UTC. */
function localMoment(text, hasYear) {
  const locale = root.lang === 'ar' ? 'ar-u-nu-latn' : root.lang
  const year = hasYear ? 'numeric' : undefined
  const parts = {
    year,
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }
  return new Intl.DateTimeFormat(locale, parts).format(new Date(text))
}

for (const element of document.querySelectorAll('time[datetime]'))
  element.textContent = localMoment(element.dateTime, 'year' in element.dataset)

for (const element of document.querySelectorAll('[data-until]')) showDeadline(element)

// Live updates: the page contains the version (`mark`) it was rendered for, and reloads when the version changes.

const { mark, events, status } = document.body.dataset
const POLL_MS = 3000

function reloadIfChanged(current) {
  if (current !== undefined && current !== mark) location.replace(location.pathname)
}

function listen() {
  const source = new EventSource(events)
  source.onmessage = ({ data }) => reloadIfChanged(JSON.parse(data).mark)
  source.onerror = () => {
    source.close()
    setTimeout(poll, POLL_MS)
  }
}

async function poll() {
  const response = await fetch(status ?? location.pathname, { cache: 'no-store' }).catch(() => undefined)
  if (response?.ok) reloadIfChanged(status ? (await response.json()).mark : markIn(await response.text()))
  setTimeout(poll, POLL_MS)
}

/** Returns the version in a page, for a page without a status address. */
function markIn(page) {
  return new DOMParser().parseFromString(page, 'text/html').body.dataset.mark ?? ''
}

if (mark !== undefined) {
  if (events) listen()
  else setTimeout(poll, POLL_MS)
}

// On sandbox pages that do not know the payment page's address, a button goes back in the history, past this site.

for (const button of document.querySelectorAll('[data-back]')) {
  const steps = (window.navigation?.currentEntry?.index ?? 0) + 1
  button.hidden = history.length <= steps
  button.addEventListener('click', () => history.go(-steps))
}

// Automatic steps

const auto = document.querySelector('form[data-auto-submit]')
const go = document.querySelector('a[data-auto-go]')
const link = document.querySelector('a[data-auto-return]')
const timer = document.querySelector('[data-timer]')
const stay = document.querySelector('[data-stay]')

function returnAfter(seconds) {
  if (stay.hidden) return
  if (seconds <= 0) {
    link.click()
    return
  }
  timer.textContent = timer.dataset.timer.replace('{}', seconds)
  setTimeout(returnAfter, 1000, seconds - 1)
}

function stayHere() {
  stay.hidden = true
  timer.textContent = ''
  link.focus()
}

const { framed, returned } = document.body.dataset

if (!isBack && !framed) {
  auto?.requestSubmit()
  go?.click()
}
if (!isBack && link && timer && stay) {
  stay.hidden = false
  stay.addEventListener('click', stayHere)
  returnAfter(Number(link.dataset.autoReturn))
}

// In a frame of the shop's page (drop-in.js). Browsers show the page only to the sites of its frame-ancestors, so the
// parent is one of these sites. The parent's first message tells its origin. Wallets refuse frames, so they get the
// whole window.

let shop

function tellShop(message) {
  if (shop) parent.postMessage(message, shop)
}

/** The facts for the shop's page. `needsWindow`: the shop must continue at this address in its own window. */
function describePage() {
  const needsWindow = !isBack && !dialog && Boolean(auto ?? go)
  const url = location.origin + location.pathname
  const atBank = bank !== undefined
  const labels = { title: document.title, ...(atBank && { close: dialog.dataset.back }) }
  return { tollgate: 'page', ...JSON.parse(framed), ...labels, url, needsWindow, atBank }
}

function closeFrame(event) {
  if (!shop) return
  event.preventDefault()
  tellShop({ tollgate: 'close' })
}

function isElsewhere({ href, action }) {
  return new URL(href ?? action).origin !== location.origin
}

// The page of the cardholder's bank opens in a frame inside a dialog of this page. When the payer comes back to the
// gateway, the gateway's page in that frame only says so, and this page is loaded again with what the server knows. No
// browser tells a page that a frame was refused, so the dialog has a link that leaves the shop's page for the bank's.

const dialog = document.querySelector('dialog')
const bankForm = document.querySelector('form[target=bank]')
const BANK_LOAD_MS = 20000

let bank
let bankTimer

function leaveForBank() {
  tellShop({ ...describePage(), needsWindow: true })
}

function openBank() {
  document.querySelector('.step > .note')?.remove()
  bank = document.createElement('iframe')
  bank.name = bankForm.target
  bank.title = dialog.dataset.frame
  // The bank may ask for a passkey. Without a src attribute the browser does not know the bank's origin yet.
  bank.allow = 'payment *; publickey-credentials-get *'
  bank.addEventListener('load', () => {
    if (bank.contentDocument?.URL === 'about:blank') return
    clearTimeout(bankTimer)
    dialog.className = 'ready'
    bank.focus()
  })
  dialog.querySelector('.waiting').after(bank)
  bankTimer = setTimeout(leaveForBank, BANK_LOAD_MS)
  dialog.showModal()
  dialog.querySelector('h2').focus()
  tellShop(describePage())
}

function closeBank() {
  clearTimeout(bankTimer)
  bank.remove()
  bank = undefined
  dialog.className = ''
  bankForm.before(dialog.querySelector('template').content.cloneNode(true))
  // A form that is reset can be submitted again.
  bankForm.reset()
  bankForm.querySelector('button').focus()
  tellShop(describePage())
}

if (dialog) {
  bankForm.addEventListener('submit', (event) => event.defaultPrevented || openBank())
  dialog.addEventListener('close', closeBank)
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
    if (bank && effectiveDirective === 'frame-src') leaveForBank()
  })
}

if (returned) parent.postMessage({ tollgate: 'returned', isOpen: returned === 'open' }, location.origin)

if (framed) {
  addEventListener('message', ({ source, origin, data }) => {
    if (bank && source === bank.contentWindow && origin === location.origin && data?.tollgate === 'returned')
      location.replace(location.pathname + (data.isOpen ? '?back' : ''))
    if (source !== parent) return
    if (data?.tollgate === 'back' && origin === shop) dialog?.close()
    if (data?.tollgate !== 'hello') return
    shop = origin
    tellShop(describePage())
    if (dialog && auto && !isBack && !bank) auto.requestSubmit()
  })
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented && !bank) closeFrame(event)
  })
  for (const element of [...document.links, ...document.forms])
    if (isElsewhere(element) && element !== bankForm) element.target = '_top'
  for (const receipt of document.querySelectorAll('[data-receipt]')) receipt.target = '_blank'
  link?.addEventListener('click', closeFrame)
}
