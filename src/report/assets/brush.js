/* What a page of three and more objectives does when one points, drags, slides or types; it
   follows page.js. `points` holds what belongs to each point: its row, its line, its dot, its
   ranks. Marking is the work of page.js; here it only learns where the pointer is nearest to, and
   what it marked is drawn once more on top, with its numbers. No characters that mean something to
   HTML here either. */
(function () {
    var group = document.querySelector('.parallel');
    if (!group) { return; }
    var picture = group.ownerSVGElement, rails = [], points = [], bounds = [], sets = [];
    var lines = group.querySelector('.lines');
    var veil = Number(lines.style.getPropertyValue('--veil'));
    var top = Number(group.getAttribute('data-top'));
    var bottom = Number(group.getAttribute('data-bottom'));
    function all(selector) { return [].slice.call(document.querySelectorAll(selector)); }
    function draw(name, classes, into) {
        var e = document.createElementNS(picture.namespaceURI, name);
        e.setAttribute('class', classes);
        into.appendChild(e);
        return e;
    }
    function put(e, values) {
        Object.keys(values).forEach(function (key) { e.setAttribute(key, values[key]); });
    }
    function send_back(line) {
        if (line.parentNode !== group) { line.parentNode.insertBefore(line, line.parentNode.firstChild); }
    }
    function figure(n) { return n.toLocaleString('en'); }
    function point_at(e) { e.dispatchEvent(new MouseEvent('mouseover', {bubbles: true})); }
    function corners(line) {
        return line.querySelector('path').getAttribute('d').slice(1).split('L').map(function (c) {
            return c.split(' ').map(Number);
        });
    }
    function inside(value, low, high) { return Math.max(low, Math.min(high, value)) === value; }

    /* what there is */
    all('tr[data-r]').forEach(function (row) {
        points[row.getAttribute('data-p')] = {row: row, on: true,
        places: row.getAttribute('data-r').split(' ').map(Number)};
    });
    all('.line[data-p]').forEach(function (line) {
        var point = points[line.getAttribute('data-p')];
        point.line = line;
        point.at = corners(line);
    });
    all('.point[data-p]').forEach(function (dot) { points[dot.getAttribute('data-p')].dot = dot; });
    all('.ranges fieldset').forEach(function (set, o) {
        var steps = [];
        points.forEach(function (p) {
            steps[p.places[o]] = {text: p.row.cells[o].textContent, y: p.at[o][1]};
        });
        sets.push({box: set, ends: [].slice.call(set.querySelectorAll('input')), steps: steps});
        bounds.push([0, steps.length - 1]);
        rails.push({x: points[0].at[o][0], window: draw('rect', 'window', group)});
    });

    /* who is within the bounds */
    var waiting = false;
    function shows(p) {
        return p.places.every(function (r, o) { return inside(r, bounds[o][0], bounds[o][1]); });
    }
    function is_set(o) { return bounds[o][0] + sets[o].steps.length - 1 !== bounds[o][1]; }
    function show_bounds(set, o) {
        set.box.classList.toggle('set', is_set(o));
        set.ends.forEach(function (input, end) {
            var text = set.steps[bounds[o][end]].text;
            input.value = bounds[o][end];
            input.setAttribute('aria-valuetext', text);
            input.parentNode.querySelector('output').textContent = text;
        });
        var low = set.steps[bounds[o][0]].y, high = set.steps[bounds[o][1]].y;
        put(rails[o].window, is_set(o) ? {x: rails[o].x - 6, y: high - 3, width: 12, rx: 3,
        height: low - high + 6} : {width: 0, height: 0});
    }
    function refresh() {
        var n = 0;
        waiting = false;
        points.forEach(function (p) {
            var on = shows(p);
            n += on ? 1 : 0;
            if (on === p.on) { return; }
            p.on = on;
            p.row.hidden = !on;
            if (!on) { send_back(p.line); }
            p.line.classList.toggle('off', !on);
            p.dot.classList.toggle('off', !on);
        });
        lines.style.setProperty('--veil', Math.max(veil, Math.min(0.8, 40 / n)));
        sets.forEach(show_bounds);
        document.getElementById('reset').disabled = !sets.some(function (set, o) { return is_set(o); });
        document.getElementById('count').textContent = n === points.length ?
        'all ' + figure(n) + ' points shown' :
        figure(n) + ' of ' + figure(points.length) + ' points shown';
        if (group.querySelector('.line.on.off')) { point_at(picture); }
        keep_stops();
    }
    function later() {
        if (!waiting) { waiting = true; requestAnimationFrame(refresh); }
    }
    function set_bound(o, end, place) {
        bounds[o][end] = end ? Math.max(place, bounds[o][0]) : Math.min(place, bounds[o][1]);
        later();
    }
    function reset(o) { bounds[o] = [0, sets[o].steps.length - 1]; later(); }
    document.getElementById('narrow').addEventListener('input', function (event) {
        var input = event.target;
        set_bound(Number(input.getAttribute('data-o')), Number(input.getAttribute('data-end')),
        Number(input.value));
    });
    document.getElementById('reset').addEventListener('click', function () {
        sets.forEach(function (set, o) { reset(o); });
    });

    /* dragging along an axis; a click alone lets go of it */
    function where(event) {
        var at = picture.createSVGPoint();
        at.x = event.clientX;
        at.y = event.clientY;
        return at.matrixTransform(picture.getScreenCTM().inverse());
    }
    function drag(o, from, to) {
        var places = [];
        sets[o].steps.forEach(function (step, place) {
            if (inside(step.y, Math.min(from, to), Math.max(from, to))) { places.push(place); }
        });
        if (places.length) { bounds[o] = [places[0], places[places.length - 1]]; later(); }
    }
    rails.forEach(function (rail, o) {
        var grip = draw('rect', 'grip', group), start = null;
        put(grip, {x: rail.x - 11, y: top - 8, width: 22, height: bottom - top + 16});
        grip.addEventListener('pointerdown', function (event) {
            start = where(event).y;
            grip.setPointerCapture(event.pointerId);
            event.preventDefault();
        });
        grip.addEventListener('pointermove', function (event) {
            if (start !== null) { drag(o, start, where(event).y); }
        });
        grip.addEventListener('pointerup', function (event) {
            if (inside(where(event).y - start, -3, 3)) { reset(o); }
            start = null;
        });
        grip.addEventListener('pointercancel', function () { start = null; });
    });

    /* the line nearest to the pointer */
    function distance(p, x, y) {
        return p.at.reduce(function (least, c, i) {
            var next = p.at[i + 1];
            if (!next || !inside(x, c[0], next[0])) { return least; }
            return Math.abs(y - c[1] - (next[1] - c[1]) * (x - c[0]) / (next[0] - c[0]));
        }, Infinity);
    }
    picture.addEventListener('mousemove', function (event) {
        var at = where(event), nearest = null, least = 14;
        if (event.buttons) { return; }
        points.forEach(function (p) {
            var d = p.on ? distance(p, at.x, at.y) : Infinity;
            if (Math.min(d, least) !== least) { nearest = p; least = d; }
        });
        point_at(nearest ? nearest.line : picture);
    });

    /* the marked point once more, on top */
    var spot = draw('g', 'spot', group);
    function show_spot() {
        var line = group.querySelector('.line.on') || group.querySelector('.line.pinned');
        spot.textContent = '';
        group.classList.toggle('spotted', line !== null);
        if (!line) { return; }
        var p = points[line.getAttribute('data-p')];
        var d = line.querySelector('path').getAttribute('d');
        put(draw('path', 'halo', spot), {d: d});
        put(draw('path', 'trace', spot), {d: d});
        p.at.forEach(function (c, o) {
            var text = draw('text', 'number', spot);
            var last = o === p.at.length - 1; /* the names are at its right */
            put(text, {x: last ? c[0] - 8 : c[0] + 8, y: Math.max(c[1] - 6, top + 4),
            'text-anchor': last ? 'end' : 'start'});
            text.textContent = p.row.cells[o].textContent;
        });
    }
    document.addEventListener('mouseover', show_spot);
    document.addEventListener('focusin', show_spot);
    document.addEventListener('click', show_spot);
    document.addEventListener('keydown', show_spot);

    /* by keys: one stop for the dots, one for the lines, one for the rows; arrows within */
    var kinds = ['dot', 'line', 'row'], stops = {};
    function stop_at(kind, p) {
        if (stops[kind]) { stops[kind][kind].setAttribute('tabindex', -1); }
        stops[kind] = p;
        if (p) { p[kind].setAttribute('tabindex', 0); }
    }
    function first_shown() { return points.find(function (p) { return p.on; }); }
    function keep_stops() {
        kinds.forEach(function (kind) {
            var stop = stops[kind];
            if (!stop || !stop.on) { stop_at(kind, first_shown()); }
        });
    }
    function from_event(event, act) {
        var e = event.target.closest('[data-p]'), p = e ? points[e.getAttribute('data-p')] : null;
        kinds.forEach(function (kind) { if (p) { if (p[kind] === e) { act(kind, p); } } });
    }
    points.forEach(function (p) {
        kinds.forEach(function (kind) { p[kind].setAttribute('tabindex', -1); });
    });
    document.addEventListener('focusin', function (event) { from_event(event, stop_at); });
    document.addEventListener('keydown', function (event) {
        var by = {ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1}[event.key];
        if (!by) { return; }
        from_event(event, function (kind, p) {
            var i = points.indexOf(p) + by;
            while (points[i] ? !points[i].on : false) { i += by; }
            if (points[i]) { points[i][kind].focus(); }
            event.preventDefault();
        });
    });
    document.getElementById('narrow').hidden = false;
    refresh();
})();
