// Keeps the page for the next time, also without a network, and gives it the two headers that threads need where the
// server cannot (a page may share memory with its workers when nothing of another origin is in it).
"use strict";

const store = "headlight";

const isolated = (response) => {
  if (response.status === 0 || response.type === "opaque") return response;
  const headers = new Headers(response.headers);
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Embedder-Policy", "require-corp");
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
};

// The page itself, whatever is asked of it: "…/?embed", "…/index.html".
const page = self.registration.scope;
const isPage = (address) => [page, page + "index.html"].includes(address.split(/[?#]/)[0]);
const placeOf = (request) => isPage(request.url) ? page : request.url.split("#")[0];

async function answer(request) {
  const cache = await caches.open(store), place = placeOf(request);
  const kept = await cache.match(place);
  // Of another build everything has another address, but for the page itself: it is asked for anew.
  if (kept && request.mode !== "navigate" && new URL(place).search) return isolated(kept);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(place, response.clone());
    return isolated(response);
  } catch (unreachable) {
    if (kept) return isolated(kept);
    throw unreachable;
  }
}

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  if (method !== "GET" || !url.startsWith(page) || (mode === "navigate" && !isPage(url))) return; // others' affairs
  event.respondWith(answer(event.request));
});

// What was fetched before this worker was there, from what the browser still has of it; and what no build wants goes.
self.addEventListener("message", (event) => {
  const { keep, build } = event.data || {};
  if (!keep) return;
  event.waitUntil((async () => {
    const cache = await caches.open(store);
    for (const request of await cache.keys()) {
      const version = new URL(request.url).searchParams.get("v");
      if (version && version !== build) await cache.delete(request);
    }
    for (const address of keep) {
      const place = new URL(address);
      place.hash = "";
      if (place.origin !== location.origin || await cache.match(place.href)) continue;
      const response = await fetch(place.href, { cache: "force-cache" }).catch(() => null);
      if (response && response.ok) await cache.put(place.href, response);
    }
    for (const client of await self.clients.matchAll()) client.postMessage({ kept: true });
  })());
});
