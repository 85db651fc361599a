// Opens payment pages of this gateway in a dialog over a shop's page. See docs/guides/drop-in.md. Shops load the small
// copy in assets/, which `npm run manifest` writes.
;(() => {
  const source = document.currentScript?.src
  if (!source || window.Tollgate) return
  const { origin: gateway, host } = new URL(source)
  const LOAD_MS = 20000
  // A page answers as soon as it has loaded. What a browser shows in place of a refused page never answers.
  const ANSWER_MS = 8000
  const css = `dialog{box-sizing:border-box;width:min(480px,100vw);height:min(820px,100dvh - 48px);max-width:none;max-height:none;
margin:auto;padding:0;border:0;border-radius:8px;overflow:hidden;color-scheme:light dark;background:#fff;color:#57606a;
font:14px/44px system-ui,sans-serif}
dialog[open]{display:flex;flex-direction:column}
dialog::backdrop{background:rgb(0 0 0/.55)}
header{display:flex;justify-content:space-between;padding-inline-start:max(16px,(100% - 432px)/2)}
button{position:relative;width:44px;height:44px;border:0;background:none;color:inherit;cursor:pointer}
button:focus-visible{outline:2px solid;outline-offset:-6px;border-radius:8px}
button::before,button::after{content:"";position:absolute;inset:21px 14px;height:2px;background:currentColor;rotate:45deg}
button::after{rotate:-45deg}
iframe{flex:1;border:0;visibility:hidden}
.ready iframe{visibility:visible}
dialog:not(.ready)::after{content:"";position:absolute;inset:0;margin:auto;width:32px;height:32px;border:3px solid;
border-top-color:transparent;border-radius:50%;animation:turn 1s linear infinite}
@keyframes turn{to{rotate:1turn}}
@media(prefers-reduced-motion:reduce){dialog::after{animation-duration:8s!important}}
@media(prefers-color-scheme:dark){dialog{background:#15181b;color:#a4acb5}}
@media(max-width:640px),(max-height:560px){dialog{width:100vw;height:100dvh;margin:0;border-radius:0}}`
  let shown

  function make(name, attributes = {}) {
    const element = document.createElement(name)
    set(element, attributes)
    return element
  }

  function set(element, attributes) {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  }

  /** The address of a payment page. Undefined if the page is not one of ours. */
  function pageOf(text) {
    try {
      const { origin, pathname, href } = new URL(text, location.href)
      if (origin === gateway && /\/(pay|link)\/[^/]+$/.test(pathname)) return href
    } catch {}
    console.error(
      `Tollgate: "${text}" is not a payment page of ${gateway}. Pass the payUrl of a response, or a payment link.`,
    )
  }

  function resultOf({ orderNo, tradeNo, state = 'unknown', isFinal = false, returnUrl }) {
    return { orderNo, tradeNo, state, isFinal, returnUrl }
  }

  function show(url, { onResult, onClose }) {
    const root = make('tollgate-drop-in')
    const dialog = make('dialog', { 'aria-label': 'Payment', 'aria-busy': true })
    const header = make('header')
    const button = make('button', { type: 'button', 'aria-label': 'Close' })
    const frame = make('iframe', {
      src: url,
      title: 'Payment',
      allow: 'payment; clipboard-write; publickey-credentials-get',
    })
    const { style, clientWidth } = document.documentElement
    const { overflow, scrollbarGutter } = style
    let page = { url }
    let isReported = false
    let isNew = false
    let timer = setTimeout(fallBack, LOAD_MS)

    function stop() {
      clearTimeout(timer)
      frame.onload = null
      removeEventListener('message', receive)
    }

    /** Leaves the shop's page. The dialog stays open until the browser has left. */
    function goTo(address) {
      stop()
      dialog.className = ''
      location.assign(address)
    }

    function fallBack() {
      console.warn(
        `Tollgate: ${page.url} opens in this window, because it did not open in a frame. ${location.origin} must be an approved website of the merchant, and its policy must allow frame-src ${gateway}.`,
      )
      goTo(page.url)
    }

    function close() {
      if (shown?.close !== close) return
      shown = undefined
      stop()
      dialog.close()
      root.remove()
      Object.assign(style, { overflow, scrollbarGutter })
      if (page.isFinal && !onResult && /^https?:/.test(page.returnUrl)) location.assign(page.returnUrl)
      else onClose?.(resultOf(page))
    }

    /** Closes the bank's page, if it is open, and otherwise the dialog. A page that does not answer closes at the second try. */
    function goBack() {
      if (!page.atBank) return close()
      page.atBank = false
      frame.focus()
      frame.contentWindow.postMessage({ tollgate: 'back' }, gateway)
    }

    function receive({ source, origin, data }) {
      if (source !== frame.contentWindow || origin !== gateway) return
      if (data?.tollgate === 'close') close()
      if (data?.tollgate === 'page' && pageOf(data.url)) arrive(data)
    }

    function arrive(data) {
      clearTimeout(timer)
      page = data
      if (page.needsWindow) return goTo(`${page.url}?go`)
      set(dialog, { class: 'ready', 'aria-label': page.title, 'aria-busy': false })
      set(frame, { title: page.title })
      set(button, { 'aria-label': page.close })
      // A message about the bank's page must not take the focus from what the page has just focused.
      if (isNew) frame.focus()
      isNew = false
      if (!page.isFinal || isReported) return
      isReported = true
      onResult?.(resultOf(page))
    }

    frame.onload = () => {
      clearTimeout(timer)
      page.atBank = false
      isNew = true
      timer = setTimeout(fallBack, ANSWER_MS)
      frame.contentWindow.postMessage({ tollgate: 'hello' }, gateway)
    }
    dialog.onclose = close
    button.onclick = goBack
    dialog.oncancel = (event) => {
      if (!page.atBank) return
      event.preventDefault()
      goBack()
    }
    addEventListener('message', receive)
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    const shadow = root.attachShadow({ mode: 'open' })
    shadow.adoptedStyleSheets = [sheet]
    header.append(host, button)
    dialog.append(header, frame)
    shadow.append(dialog)
    document.body.append(root)
    style.overflow = 'hidden'
    // The shop's page must not move aside when its scroll bar goes.
    if (innerWidth > clientWidth) style.scrollbarGutter = 'stable'
    dialog.showModal()
    shown = { url, close }
  }

  /** Opens the page in a dialog or in this window. Returns false if the page is not one of ours. */
  function open(payUrl, options = {}) {
    const url = pageOf(payUrl)
    if (!url) return false
    if (shown?.url === url) return true
    shown?.close()
    const canShow =
      window.HTMLDialogElement && 'adoptedStyleSheets' in document && CSS.supports('height:1dvh')
    if (canShow) show(url, options)
    else location.assign(url)
    return true
  }

  addEventListener('click', (event) => {
    const element = event.target.closest?.('[data-tollgate],[data-tollgate-link]')
    const isPlain = !(event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
    if (!element || !isPlain || event.defaultPrevented) return
    if (open(element.dataset.tollgateLink || element.href)) event.preventDefault()
  })
  // After the back button a browser may show the shop's page as it was left.
  addEventListener('pageshow', ({ persisted }) => persisted && shown?.close())

  window.Tollgate = Object.freeze({ version: 1, open, close: () => shown?.close() })
})()
