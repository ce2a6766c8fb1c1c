/* What a page with pictures does when one points, clicks or types. Its words come from the
   page's own titles and are only ever put into it as text. Without scripts the titles are still
   there, and the edges of wide tables are shaded. It has no characters that mean something to HTML
   (&, <), which is why some conditions are written as x ? y : false, and comparisons as exceeds().
   */
(function () {
    var tip = document.createElement('div'), view = document.documentElement;
    var at = null, mouse = [0, 0], by_mouse = false, screen_at = '', kept = null, kept_at = null;
    tip.id = 'tip';
    tip.hidden = true;
    tip.setAttribute('role', 'status');
    document.body.appendChild(tip);
    function all(selector) { return [].slice.call(document.querySelectorAll(selector)); }
    function exceeds(a, b) { return Math.max(a, b) !== b; }

    /* The browser would show titles, too. */
    all('svg [data-p], svg .tell').forEach(function (e) {
        var title = e.querySelector('title');
        if (title) { e.setAttribute('aria-label', title.textContent); title.remove(); }
    });

    /* all that shows the same point */
    function same(e) {
        var number = e.getAttribute('data-p');
        return number === null ? [e] : all('[data-p="' + number + '"]');
    }
    function told(e, name) {
        return same(e).map(function (x) { return x.getAttribute(name); }).find(Boolean) || '';
    }
    function words(e) {
        return [told(e, 'aria-label').split('; ').join('\n'), told(e, 'data-a')].filter(Boolean).join('\n');
    }
    function mark(e, name) {
        all('.' + name).forEach(function (x) { x.classList.remove(name); });
        if (e) { same(e).forEach(function (x) { x.classList.add(name); }); }
    }

    /* beside x, y of the page, and inside the window */
    function place(x, y) {
        tip.style.left = tip.style.top = '0';
        var w = tip.offsetWidth, h = tip.offsetHeight;
        var right = scrollX + view.clientWidth - 6, bottom = scrollY + view.clientHeight - 6;
        var left = exceeds(x + 14 + w, right) ? Math.min(x - 14, right) - w : x + 14;
        var top = exceeds(y + 16 + h, bottom) ? Math.min(y - 12, bottom) - h : y + 16;
        tip.style.left = Math.max(scrollX + 6, left) + 'px';
        tip.style.top = Math.max(scrollY + 6, top) + 'px';
    }

    /* Beside a row it would only hide the next ones; one that is kept may. */
    function show(e, x, y) {
        tip.textContent = e.ownerSVGElement || e === kept ? words(e) : '';
        tip.hidden = !tip.textContent;
        tip.classList.toggle('kept', e === kept);
        place(x, y);
    }
    function rest() {
        at = null;
        mark(null, 'on');
        if (kept) { show(kept, kept_at[0], kept_at[1]); } else { tip.hidden = true; }
    }
    function look(e, x, y) {
        if (!e) { rest(); return; }
        if (e !== at) { at = e; mark(e, 'on'); }
        show(e, x, y);
    }
    function let_go() { kept = null; mark(null, 'pinned'); rest(); }
    function keep(e, x, y) {
        if (kept ? same(kept).indexOf(e) !== -1 : false) { let_go(); return; }
        kept = e;
        kept_at = [x, y];
        mark(e, 'pinned');
        show(e, x, y);
    }
    function subject(event) {
        return event.target.closest ? event.target.closest('[data-p], .tell') : null;
    }
    function corner(e) {
        var box = e.getBoundingClientRect();
        return [box.left + scrollX + Math.min(box.width, 160) / 2,
        box.top + scrollY + Math.min(box.height, 160) / 2];
    }

    /* A page that scrolls below a mouse at rest tells of the mouse, too: the keyboard goes on.
       */
    function moved(event) {
        var to = event.screenX + ' ' + event.screenY;
        if (!event.isTrusted) { return by_mouse; }
        by_mouse = by_mouse || to !== screen_at;
        screen_at = to;
        mouse = [event.pageX, event.pageY];
        return by_mouse;
    }
    document.addEventListener('mousemove', moved, true);
    document.addEventListener('mousemove', function () {
        if (at ? by_mouse : false) { place(mouse[0], mouse[1]); }
    });
    document.addEventListener('mouseover', function (event) {
        if (moved(event)) { look(subject(event), mouse[0], mouse[1]); }
    });
    view.addEventListener('mouseleave', rest);
    document.addEventListener('focusin', function (event) {
        var e = subject(event);
        if (!e || !event.target.matches(':focus-visible')) { return; }
        by_mouse = false;
        look(e, corner(e)[0], corner(e)[1]);
    });
    document.addEventListener('focusout', function () { if (!by_mouse) { rest(); } });
    document.addEventListener('click', function (event) {
        var e = subject(event) || (by_mouse ? at : null);
        if (!e || event.target.closest('a, button, input, summary') || String(getSelection())) { return; }
        keep(e, event.pageX, event.pageY);
    });
    document.addEventListener('keydown', function (event) {
        var e = subject(event);
        if (event.key === 'Escape') { let_go(); tip.hidden = true; }
        if (e ? event.key === 'Enter' || event.key === ' ' : false) {
            keep(e, corner(e)[0], corner(e)[1]);
            event.preventDefault();
        }
    });

    /* wide tables and pictures: is there more, and how wide is the first column? */
    all('.sheet, .scroll').forEach(function (box) {
        var hint = document.createElement('p'), table = box.querySelector('.freeze');
        hint.className = 'hint';
        hint.textContent = 'There is more to the right: scroll sideways \u2192';
        box.parentNode.insertBefore(hint, box);
        function edges() {
            var rest = box.scrollWidth - box.clientWidth;
            hint.hidden = !exceeds(rest, 2);
            box.tabIndex = hint.hidden ? -1 : 0;
            box.classList.toggle('more-left', exceeds(box.scrollLeft, 2));
            if (table) { table.style.setProperty('--second', table.rows[0].cells[0].offsetWidth + 'px'); }
        }
        box.addEventListener('scroll', edges);
        addEventListener('resize', edges);
        edges();
    });
})();
