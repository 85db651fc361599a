// Keeps the page and the panel up to date, opens and closes the panel, and fills in the sandbox's cards. The shop works
// without it: pages are then reloaded by hand.

const { body } = document
const content = document.querySelector('#content')
const exchanges = document.querySelector('#exchanges')
const said = document.querySelector('#said')

// The panel: beside the shop on wide screens, a tab on phones.

const toggle = document.querySelector('.toggle')
const tabs = document.querySelectorAll('[data-tab]')

function showPanel(isOpen) {
  body.dataset.panel = isOpen ? 'open' : 'closed'
  toggle.setAttribute('aria-expanded', String(isOpen))
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API does not exist over plain http.
  document.cookie = `shop_panel=${isOpen ? 'open' : 'closed'}; path=/; samesite=lax`
}

function showTab(name) {
  body.dataset.view = name
  for (const tab of tabs) {
    tab.classList.remove('fresh')
    if (tab.dataset.tab === name) tab.setAttribute('aria-current', 'true')
    else tab.removeAttribute('aria-current')
  }
  scrollTo(0, 0)
}

if (body.dataset.panel !== 'only') {
  toggle.addEventListener('click', (event) => {
    event.preventDefault()
    showPanel(body.dataset.panel !== 'open')
  })
  document.querySelector('.close').addEventListener('click', () => {
    showPanel(false)
    toggle.focus()
  })
  for (const tab of tabs)
    tab.addEventListener('click', (event) => {
      event.preventDefault()
      showTab(tab.dataset.tab)
    })
}

// Live updates

async function read(address) {
  const response = await fetch(address, { cache: 'no-store' }).catch(() => undefined)
  return response?.ok ? new DOMParser().parseFromString(await response.text(), 'text/html') : undefined
}

async function showExchange(id) {
  const entry = (await read(`/requests/${id}`))?.querySelector('.exchange')
  if (entry) showEntry(entry)
  showTimes()
}

function showEntry(entry) {
  const before = document.getElementById(entry.id)
  if (before) {
    entry.open = before.open
    before.replaceWith(entry)
    return
  }
  exchanges.querySelector('.empty')?.remove()
  for (const older of exchanges.querySelectorAll('.exchange[open]')) older.open = false
  exchanges.prepend(entry)
  tabs[1]?.classList.add('fresh')
}

/** Shows the changes between the load of the page, or a lost connection, and the start of the stream. */
async function catchUp() {
  const page = await read('/requests')
  const entries = [...(page?.querySelectorAll('.exchange') ?? [])]
  for (const entry of entries.reverse()) showEntry(entry)
  if (body.dataset.order) await showOrder()
  showTimes()
}

/** Typed text stays: the page changes when the field loses the focus. */
function isTyping() {
  return content.contains(document.activeElement) && document.activeElement.matches('input, select')
}

async function showOrder() {
  if (isTyping()) {
    content.addEventListener('focusout', () => setTimeout(showOrder), { once: true })
    return
  }
  const page = await read(`/orders/${body.dataset.order}`)
  // The page is not replaced by the same version, because it may show the problems of a form.
  if (!page || page.body.dataset.mark === body.dataset.mark) return
  body.dataset.mark = page.body.dataset.mark
  content.replaceChildren(...page.querySelector('#content').childNodes)
  document.title = page.title
  said.textContent = content.querySelector('h1')?.textContent ?? ''
  showTimes()
}

// Updates run one after the other: an earlier answer must not overwrite a later one.
let line = Promise.resolve()
function inLine(act) {
  line = line.then(act, act)
}

const RECONNECT_MS = 5000

function listen() {
  const source = new EventSource('/events')
  source.onopen = () => inLine(catchUp)
  source.addEventListener('exchange', ({ data }) => inLine(() => showExchange(data)))
  source.addEventListener('order', ({ data }) => {
    if (data === body.dataset.order) inLine(showOrder)
  })
  source.onerror = () => {
    // The browser reconnects by itself unless the shop refused.
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, RECONNECT_MS)
  }
}

listen()

// Times are shown in the reader's zone; the shop wrote them in UTC.

function showTimes() {
  for (const time of document.querySelectorAll('time[datetime]'))
    time.textContent = new Date(time.dateTime).toLocaleTimeString('en-GB')
}

showTimes()

// The window over the shop: the gateway's script opens links with data-tollgate. Without the script they are ordinary links.

const payLink = document.querySelector('a[data-tollgate]')
const dropIn = document.querySelector('script[data-drop-in]')

if (payLink && dropIn && location.hash === '#pay') {
  // The window opens only once: a payer who closes it and reloads wants to see the order.
  history.replaceState(null, '', location.pathname)
  if (window.Tollgate) payLink.click()
  else dropIn.addEventListener('load', () => payLink.click())
}

// Buttons

async function copy(button) {
  await navigator.clipboard?.writeText(button.dataset.copy).catch(() => {})
  const text = button.textContent
  button.textContent = 'Copied'
  setTimeout(() => {
    button.textContent = text
  }, 2000)
}

document.addEventListener('click', ({ target }) => {
  const { card } = target.dataset
  if (target.dataset.copy !== undefined) copy(target)
  if (card === undefined) return
  const form = target.closest('form')
  form.elements.cardNo.value = card.replace(/(.{4})(?=.)/g, '$1 ')
  form.elements.expiry.value = '12/30'
  form.elements.code.value = '123'
  form.elements.cardNo.focus()
})

document.addEventListener('submit', ({ target }) => {
  const button = target.querySelector('.button')
  if (button) button.setAttribute('aria-busy', 'true')
})
