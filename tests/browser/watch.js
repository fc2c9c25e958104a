/**
 * Runs in a tested page before its own scripts. Knows what is under way that the page does not count among its work,
 * and can clear the page for the next test, which begins in the same document.
 */
(() => {
  const { setTimeout, clearTimeout, requestAnimationFrame, cancelAnimationFrame, fetch } = window;
  const { addEventListener } = EventTarget.prototype;
  /** Timers that will fire, each with its time in ms. */
  const timers = new Map();
  const frames = new Set();
  const requests = new Set();
  /** Open connections: streams of events and sockets. */
  const connections = new Set();
  /** Listeners on what outlives the elements of the page, held no longer than their owners hold them. */
  let listeners = [];
  const moves = animation =>
    animation.playState === 'running' && animation.effect.getComputedTiming().endTime !== Infinity;
  const firesWithin = most => [...timers.values()].some(ms => ms < most);
  const isSettled = () => document.documentElement.dataset.state === 'ready' && !frames.size && !firesWithin(50);
  const outlives = target =>
    target === document.fonts || // its class has no name in the window of the desktop
    [Window, Document, MediaQueryList, VisualViewport].some(type => target instanceof type) ||
    target === document.documentElement;

  const watched = {
    setTimeout: (act, ms = 0, ...rest) => {
      const timer = setTimeout(
        (...given) => {
          timers.delete(timer);
          act(...given);
        },
        ms,
        ...rest,
      );
      timers.set(timer, ms);
      return timer;
    },
    clearTimeout: timer => {
      timers.delete(timer);
      clearTimeout(timer);
    },
    requestAnimationFrame: act => {
      const frame = requestAnimationFrame(time => {
        frames.delete(frame);
        act(time);
      });
      frames.add(frame);
      return frame;
    },
    cancelAnimationFrame: frame => {
      frames.delete(frame);
      cancelAnimationFrame(frame);
    },
    fetch: async (...given) => {
      const request = {};
      requests.add(request);
      try {
        return await fetch(...given);
      } finally {
        requests.delete(request);
      }
    },
  };
  Object.assign(window, watched);
  const noting = Connection =>
    class extends Connection {
      constructor(...given) {
        super(...given);
        connections.add(new WeakRef(this));
      }
    };
  window.EventSource = noting(EventSource);
  window.WebSocket = noting(WebSocket);
  EventTarget.prototype.addEventListener = function (type, act, options) {
    const target = this ?? window;
    // Of the options nothing is kept: their signal would hold all that ends with it.
    const isEarly = options === true || Boolean(options?.capture);
    if (act && outlives(target)) listeners.push([new WeakRef(target), type, new WeakRef(act), isEarly]);
    return addEventListener.call(target, type, act, options);
  };

  /** Whether nothing is going to happen by itself: no answer, timer (of less than 900 ms), frame or motion is left. */
  const isIdle = () => isSettled() && !firesWithin(900) && !requests.size && !document.getAnimations().some(moves);

  window.tested = {
    /** Calls `act` in the next frame, and is not taken for something that the page draws. */
    nextFrame: act => requestAnimationFrame(act),

    /**
     * Waits until everything that was asked for is drawn: the page says so, and draws no more, in two frames in a row.
     * @param {number} patience in ms @param {boolean} idle whether nothing may be going to happen, either
     * @returns {Promise<boolean>} false: it did not come to that
     */
    settled: (patience, idle) =>
      new Promise(resolve => {
        let quiet = 0;
        const end = performance.now() + patience;
        const look = () => {
          quiet = (idle ? isIdle() : isSettled()) ? quiet + 1 : 0;
          if (quiet > 1 || performance.now() > end) resolve(quiet > 1);
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }),

    /**
     * Ends the lab: from now on nothing of it runs, and the page is as empty as before its scripts.
     * @returns {boolean} whether another one may begin here; otherwise work is under way that would come to it
     */
    end() {
      const isQuiet = document.documentElement.dataset.state === 'ready' && !requests.size;
      for (const timer of timers.keys()) clearTimeout(timer);
      for (const frame of frames) cancelAnimationFrame(frame);
      for (const connection of connections) {
        const open = connection.deref();
        // A browser reports a socket that is closed before it is open as an error.
        if (open instanceof WebSocket && open.readyState === WebSocket.CONNECTING) open.onopen = () => open.close();
        else open?.close();
      }
      for (const [target, type, act, isEarly] of listeners)
        target.deref()?.removeEventListener(type, act.deref() ?? null, isEarly);
      for (const kept of [timers, frames, connections]) kept.clear();
      listeners = [];
      Object.assign(window, watched, { fetch: () => new Promise(() => {}) });
      const root = document.documentElement;
      document.body.replaceWith(document.createElement('body'));
      for (const { name } of [...root.attributes]) if (name !== 'lang') root.removeAttribute(name);
      root.dataset.state = 'busy';
      getSelection().removeAllRanges();
      sessionStorage.clear();
      return isQuiet;
    },

    /** Starts the lab in the page that was cleared. @param {string} address from `#` on */
    async begin(address) {
      window.fetch = watched.fetch;
      history.replaceState(null, '', address);
      const { begin } = await import(document.querySelector('script[type=module]').src);
      return begin();
    },
  };
})();
